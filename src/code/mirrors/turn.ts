import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { NotYet } from '../../platform/jobs/queue.ts'
import { countAtHost } from './queries.ts'

const PAUSE_SECONDS = 10
const MAX_PAUSE_SECONDS = 600

interface Claimed {
  readonly id: number
  readonly host: string
  readonly lease_until: number
}

/**
 * Its host is asked by no more at once than may, and nobody else works on it. Of many that wait
 * each comes back at another time, the later the more there are. Asked under the lock of hosts.
 */
export async function awaitTurn(
  ctx: Context,
  tx: Executor,
  { id, host, lease_until }: Claimed,
): Promise<void> {
  const { talking, waiting } = await countAtHost(tx, host, ctx.now())
  if (talking < ctx.config.mirror.per_host && lease_until <= ctx.now()) return
  const spread = Math.max(1, Math.min(waiting, MAX_PAUSE_SECONDS))
  throw new NotYet(PAUSE_SECONDS + (id % spread))
}
