import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
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
