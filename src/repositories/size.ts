import { existsSync } from 'node:fs'
import type { Context } from '../context.ts'
import { foldersOf } from '../git/layout.ts'
import { countObjects, type ObjectCount } from '../git/size.ts'
import { updateRepository } from './queries.ts'
import type { Repository } from './repository.ts'

/** Where a repository's code and, if there is one, its wiki lie. */
export function foldersThere({ config }: Context, folder: string): readonly string[] {
  return foldersOf(config, folder).filter((path) => existsSync(path))
}

/** Code and wiki together: both take their place on disk. */
export async function measureFolders(ctx: Context, folder: string): Promise<ObjectCount> {
  const counts = await Promise.all(
    foldersThere(ctx, folder).map((path) => countObjects(ctx.git, path)),
  )
  return {
    bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
    isScattered: counts.some(({ isScattered }) => isScattered),
  }
}

/** Also has what lies about packed. */
export async function updateGitSize(ctx: Context, { id, folder }: Repository): Promise<void> {
  const { bytes, isScattered } = await measureFolders(ctx, folder)
  await updateRepository(ctx.db, id, { git_size: bytes })
  if (isScattered) await ctx.jobs.enqueue(ctx.db, 'collect_garbage', { id })
}
