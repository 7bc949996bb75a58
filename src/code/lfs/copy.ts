import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { PartOfRepositories } from '../../repositories/repository/part.ts'
import { copyObjects, hasObjects } from './queries.ts'

/** A copy of a repository has what the pointers in it point to. */
export async function copyLfsObjects(
  ctx: Context,
  tx: Executor,
  fromId: number,
  toId: number,
): Promise<void> {
  await copyObjects(tx, fromId, toId, ctx.now())
}

/** Whether something is left to remove when the repository goes. */
export async function hasLfsObjects(tx: Executor, repositoryId: number): Promise<boolean> {
  return hasObjects(tx, repositoryId)
}

export const lfsOfRepositories: PartOfRepositories = {
  beforeRemoval: async (ctx, tx, { id }) => {
    if (await hasLfsObjects(tx, id)) await ctx.jobs.enqueue(tx, 'remove_unused_lfs', {})
  },
}
