import type { Context } from '../../platform/context.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import {
  deleteDeliveriesUpTo,
  deleteOrphanedPayloads,
  findLastBeyond,
  measureDeliveries,
  placesOfHook,
  type Place,
} from './room-queries.ts'

/** What is taken away at once, so that it is not looked for with each event. */
const GOAL = 7 / 8
/** Times what a repository may take. */
const OF_AN_OWNER = 4
const ROWS_AT_ONCE = 1_000
/** A place is looked at no more often than this, however much happens there. */
const LOOK_SECONDS = 2
const MAX_LOOKED_AT = 10_000

const lookedAt = keptBy((_ctx: Context) => new Map<string, number>())

/**
 * Keeps what is stored for the repositories and owners of whom this webhook hears within their
 * budgets.
 */
export async function keepWithinRoom(ctx: Context, hookId: number): Promise<void> {
  for (const place of await placesOfHook(ctx.db, hookId)) {
    if (isDue(ctx, place)) await trim(ctx, place)
  }
}

function isDue(ctx: Context, { kind, id }: Place): boolean {
  const known = lookedAt(ctx)
  const key = `${kind} ${id}`
  if (ctx.now() - (known.get(key) ?? Number.NEGATIVE_INFINITY) < LOOK_SECONDS) return false
  if (known.size >= MAX_LOOKED_AT) known.clear()
  known.set(key, ctx.now())
  return true
}

/** The oldest go first, also those that wait. */
async function trim(ctx: Context, place: Place): Promise<void> {
  const { max_deliveries: deliveries, max_room: room } = ctx.config.webhooks
  const factor = place.kind === 'owner' ? OF_AN_OWNER : 1
  const most = { deliveries: deliveries * factor, room: room * factor }
  const held = await measureDeliveries(ctx.db, place)
  if (held.deliveries <= most.deliveries && held.room <= most.room) return
  const goal = { deliveries: most.deliveries * GOAL, room: most.room * GOAL }
  const last = await findLastBeyond(ctx.db, place, goal)
  if (last === undefined) return
  while ((await deleteDeliveriesUpTo(ctx.db, place, last, ROWS_AT_ONCE)) === ROWS_AT_ONCE);
  await forgetPayloads(ctx)
}

/** Those that nobody is told any more. */
export async function forgetPayloads(ctx: Context): Promise<void> {
  while ((await deleteOrphanedPayloads(ctx.db, ROWS_AT_ONCE)) === ROWS_AT_ONCE);
}
