import { constants } from 'node:fs'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { hasCode } from '../errors.ts'

export interface TreeOptions {
  readonly isWanted?: (name: string) => boolean
  readonly copy?: (from: string, to: string) => Promise<void>
}

/**
 * Copies what is below a folder as it is found; files that go away meanwhile are reported, not
 * copied.
 */
export async function copyTree(
  from: string,
  to: string,
  { isWanted = () => true, copy = copySharing }: TreeOptions = {},
): Promise<{ readonly isWhole: boolean }> {
  const entries = await readdir(from, { withFileTypes: true }).catch(missing)
  if (!entries) return { isWhole: false }
  await makeFolder(to)
  let isWhole = true
  for (const entry of entries.filter(({ name }) => isWanted(name))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    const isCopied = entry.isDirectory()
      ? (await copyTree(source, target, { isWanted, copy })).isWhole
      : await copy(source, target).then(() => true, missing)
    isWhole &&= isCopied
  }
  return { isWhole }
}

/** Shares the bytes where the file system can. */
async function copySharing(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
}

function missing(error: unknown): false {
  if (!hasCode(error, 'ENOENT')) throw error
  return false
}
