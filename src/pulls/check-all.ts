import { folderOf } from '../commits/code.ts'
import type { Context } from '../context.ts'
import { repositoriesById } from '../repositories/load.ts'
import { refreshCheck } from './check.ts'
import { findOpenPulls } from './queries.ts'

/** The job after a push: what can be merged into the repository now. */
export async function checkPulls(ctx: Context, repositoryId: number): Promise<void> {
  const repo = (await repositoriesById(ctx.db, [repositoryId])).get(repositoryId)
  if (!repo) return
  for (const pull of await findOpenPulls(ctx.db, 'base', repositoryId)) {
    await refreshCheck(ctx, folderOf(ctx, repo), pull)
  }
}
