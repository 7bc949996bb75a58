import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { copyHookRows } from './announce-queries.ts'

/** The webhooks of one repository for another, secrets and all. */
export async function copyWebhooks(
  ctx: Context,
  tx: Executor,
  fromId: number,
  toId: number,
): Promise<void> {
  await copyHookRows(tx, { repositoryId: fromId }, toId, ctx.now())
}

/** Those that each new repository begins with. */
export async function copyDefaultWebhooks(ctx: Context, tx: Executor, toId: number): Promise<void> {
  await copyHookRows(tx, 'defaults', toId, ctx.now())
}
