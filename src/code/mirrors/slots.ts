import type { Context } from '../../platform/context.ts'
import { Slots } from '../../platform/git/slots.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'

const WAITING = 100
const PATIENCE_MS = 60_000

const slotsOf = keptBy(
  ({ config }: Context) =>
    new Slots({ atOnce: config.mirror.at_once, waiting: WAITING, patienceMs: PATIENCE_MS }),
)

/** No more repositories are brought at once than `mirror.at_once` says. */
export async function inTurn<T>(
  ctx: Context,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const leave = await slotsOf(ctx).take(signal)
  try {
    return await work()
  } finally {
    leave()
  }
}
