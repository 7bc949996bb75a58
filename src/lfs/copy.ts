import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { copyObjects } from './queries.ts'

/** A copy of a repository has what the pointers in it point to. */
export async function copyLfsObjects(
  ctx: Context,
  tx: Executor,
  fromId: number,
  toId: number,
): Promise<void> {
  await copyObjects(tx, fromId, toId, ctx.now())
}
