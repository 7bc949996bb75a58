import type { Context } from '../../platform/context.ts'
import {
  insertAgain,
  insertDelivery,
  placeOf,
  type Delivery,
  type Scene,
} from './announce-queries.ts'
import type { EventKind } from './events.ts'
import type { Webhook } from './hook.ts'

interface SentByHand {
  readonly uuid: string
  readonly kind: EventKind
  readonly payload: string
  readonly scene: Scene
}

/** Sends a webhook something by hand, whatever it listens to. */
export async function sendTo(
  ctx: Context,
  hook: Webhook,
  { uuid, kind, payload, scene }: SentByHand,
): Promise<Delivery> {
  const delivery = await ctx.db.transaction().execute(async (tx) => {
    await ctx.jobs.enqueue(tx, 'deliver_webhook', { id: hook.id })
    const place = await placeOf(tx, scene)
    const row = { ...place, uuid, kind, hook_id: hook.id, created_at: ctx.now() }
    return insertDelivery(tx, row, payload)
  })
  ctx.jobs.wake()
  return delivery
}

/** Under the uuid that it had, so that a receiver that has it already can tell. */
export async function redeliver(
  ctx: Context,
  hook: Webhook,
  delivery: Delivery,
): Promise<Delivery> {
  const again = await ctx.db.transaction().execute(async (tx) => {
    await ctx.jobs.enqueue(tx, 'deliver_webhook', { id: hook.id })
    return insertAgain(tx, delivery, ctx.now())
  })
  ctx.jobs.wake()
  return again
}
