import type { Config } from '../../platform/config/config.ts'
import type { DatabaseIdentity } from '../../platform/db/identity.ts'
import { readMark, writeMark } from '../../platform/storage/mark.ts'

/** What the data folder knows of its database. */
export interface FolderMark {
  readonly id: string
  /**
   * The latest start that the folder has seen: an older copy of the database knows a smaller
   * number.
   */
  readonly starts: number
  /** Where else there is a mark: one of these without it is not mounted, or not the right one. */
  readonly places: readonly string[]
}

export async function readFolderMark({ data }: Config): Promise<FolderMark | undefined> {
  const text = await readMark(data)
  if (text === undefined) return undefined
  const [id = '', starts = '', ...places] = text.split(/\s+/)
  return { id, starts: Number(starts) || 0, places }
}

export async function writeFolderMark(
  { data }: Config,
  { id, starts }: Pick<DatabaseIdentity, 'id' | 'starts'>,
  places: readonly string[],
): Promise<void> {
  await writeMark(data, [id, starts, ...new Set(places)].join(' '))
}
