import { existsSync } from 'node:fs'
import type { Context } from '../../platform/context.ts'
import { foldersOf, repositoriesFolder } from '../../platform/git/layout.ts'
import { findGraphTime } from '../../platform/git/commit-graph.ts'
import { countObjects } from '../../platform/git/size.ts'
import { findGitSize, noteGitSize } from './queries.ts'
import { assertMarked } from '../../platform/storage/mark.ts'
import type { Repository } from './repository.ts'

/** Where a repository's code and, if there is one, its wiki lie. */
export function foldersThere({ config }: Context, folder: string): readonly string[] {
  assertMarked(repositoriesFolder(config))
  return foldersOf(config, folder).filter((path) => existsSync(path))
}

export interface Measured {
  readonly bytes: number
  /** Whether packing it, or an index of its history, should not wait for the next day. */
  readonly needsCare: boolean
}

/** Code and wiki together: both take their place on disk. */
export async function measureFolders(ctx: Context, folder: string): Promise<Measured> {
  const measured = await Promise.all(
    foldersThere(ctx, folder).map((path) => measureFolder(ctx, path)),
  )
  return {
    bytes: measured.reduce((sum, { bytes }) => sum + bytes, 0),
    needsCare: measured.some(({ needsCare }) => needsCare),
  }
}

async function measureFolder({ git }: Context, path: string): Promise<Measured> {
  const { bytes, isScattered, isLarge } = await countObjects(git, path)
  const needsIndex = isLarge && (await findGraphTime(path)) === undefined
  return { bytes, needsCare: isScattered || needsIndex }
}

/** While others write and write, the last of them measures again. */
const MAX_TURNS = 5

/**
 * What is written is never older than what somebody else has written. Also has what lies about
 * packed.
 */
export async function updateGitSize(
  ctx: Context,
  { id, folder }: Pick<Repository, 'id' | 'folder'>,
): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const known = await findGitSize(ctx.db, id)
    if (!known) return
    const { bytes, needsCare } = await measureFolders(ctx, folder)
    if (!(await noteGitSize(ctx.db, id, known, bytes))) continue
    if (needsCare) await ctx.jobs.enqueueOnce(ctx.db, 'collect_garbage', { id })
    return
  }
}
