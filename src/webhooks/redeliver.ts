import type { Context } from '../context.ts'
import { insertDelivery, type Delivery } from './delivery-queries.ts'
import type { EventKind } from './events.ts'
import type { Webhook } from './hook.ts'

/** Sends a webhook something by hand, whatever it listens to. */
export async function sendTo(
  ctx: Context,
  hook: Webhook,
  sent: { readonly uuid: string; readonly kind: EventKind; readonly payload: string },
): Promise<Delivery> {
  const delivery = await ctx.db.transaction().execute(async (tx) => {
    await ctx.jobs.enqueue(tx, 'deliver_webhook', { id: hook.id })
    return insertDelivery(tx, { ...sent, hook_id: hook.id, created_at: ctx.now() })
  })
  ctx.jobs.wake()
  return delivery
}

/** Under the uuid that it had, so that a receiver that has it already can tell. */
export async function redeliver(
  ctx: Context,
  hook: Webhook,
  { uuid, kind, payload }: Delivery,
): Promise<Delivery> {
  return sendTo(ctx, hook, { uuid, kind: kind as EventKind, payload })
}
