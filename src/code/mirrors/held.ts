import { randomUUID } from 'node:crypto'
import type { Context } from '../../platform/context.ts'

const WATCH_EVERY_MS = 1_000

interface Lease {
  readonly lease_until: number
  readonly holder: string
}

/** What makes a mirror, of either direction, that of whoever claims it. */
export function newLease(ctx: Context): Lease & { readonly is_queued: 0 } {
  return { lease_until: leaseUntil(ctx), holder: randomUUID(), is_queued: 0 }
}

/** How to look after one of them. */
export interface Held {
  readonly holder: string
  readonly find: () => Promise<Lease | undefined>
  /** False when it is another's meanwhile. */
  readonly renew: (lease: Pick<Lease, 'lease_until'>) => Promise<boolean>
}

/**
 * Keeps it while somebody works; ends what takes long when the server stops, it is deleted or
 * another has it.
 */
export async function whileHeld(
  ctx: Context,
  held: Held,
  ending: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const watch = setInterval(() => {
    isStillHeld(ctx, held)
      .then((isOurs) => {
        if (!isOurs) lost.abort(gone())
      })
      .catch(() => undefined)
  }, WATCH_EVERY_MS)
  try {
    await work(AbortSignal.any([ending, lost.signal]))
  } finally {
    clearInterval(watch)
  }
}

export async function isStillHeld(ctx: Context, { holder, find, renew }: Held): Promise<boolean> {
  const lease = await find()
  if (lease?.holder !== holder) return false
  const isFresh = lease.lease_until - ctx.now() > (ctx.config.jobs.lease * 2) / 3
  return isFresh || renew({ lease_until: leaseUntil(ctx) })
}

/** A repository takes its mirrors with it, and only then goes its folder. */
export async function assertStillHeld(ctx: Context, held: Held): Promise<void> {
  if (!(await isStillHeld(ctx, held))) throw gone()
}

function gone(): Error {
  return new Error('the mirror is gone')
}

/** Who has said nothing until then has died, and another may work on the mirror. */
function leaseUntil({ config, now }: Context): number {
  return now() + config.jobs.lease
}

/** Does each, whatever becomes of the others; fails as the first that fails. */
export async function doAll(
  steps: readonly (() => Promise<void>)[],
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    await step().catch((error: unknown) => failures.push(error))
    signal.throwIfAborted()
  }
  if (failures.length > 0) throw failures[0]
}
