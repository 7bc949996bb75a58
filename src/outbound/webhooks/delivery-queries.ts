import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes } from '../../platform/db/schema.ts'
import type { Delivery } from '../../events/webhooks/announce-queries.ts'
import { toWebhook, type Webhook } from '../../events/webhooks/hook.ts'
import { unpack } from '../../events/webhooks/packed.ts'

const isWaiting = sql<SqlBool>`is_waiting = 1`

/** With what is told. */
function selectDeliveries(db: Executor) {
  return db
    .selectFrom('webhook_delivery')
    .leftJoin('webhook_payload', 'webhook_payload.id', 'webhook_delivery.payload_id')
    .selectAll('webhook_delivery')
    .select('webhook_payload.content')
}

function toDelivery({ content, ...row }: Delivery & { readonly content: string | null }): Delivery {
  return content === null ? row : { ...row, payload: unpack(content) }
}

/** Newest first, without what is told. */
export async function listDeliveries(
  db: Executor,
  hookId: number,
  page: Page,
): Promise<PageOf<Delivery>> {
  const query = db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('hook_id', '=', hookId)
    .orderBy('id', 'desc')
  return fetchPage(query, page)
}

export async function findDelivery(
  db: Executor,
  hookId: number,
  id: number,
): Promise<Delivery | undefined> {
  const row = await selectDeliveries(db)
    .where('webhook_delivery.hook_id', '=', hookId)
    .where('webhook_delivery.id', '=', id)
    .executeTakeFirst()
  return row && toDelivery(row)
}

/** What is to be delivered next: one after the other, in the order of the events. */
export async function findNextDelivery(
  db: Executor,
  hookId: number,
): Promise<Delivery | undefined> {
  const row = await selectDeliveries(db)
    .where('webhook_delivery.hook_id', '=', hookId)
    .where(isWaiting)
    .orderBy('webhook_delivery.id')
    .limit(1)
    .executeTakeFirst()
  return row && toDelivery(row)
}

export async function hasWaiting(db: Executor, hookId: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('hook_id', '=', hookId)
    .where(isWaiting)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateDelivery(
  db: Executor,
  id: number,
  changes: Changes<'webhook_delivery'>,
): Promise<void> {
  await db.updateTable('webhook_delivery').set(changes).where('id', '=', id).execute()
}

/**
 * The webhook, for whoever delivers to it alone; nothing while another does, or while it waits
 * after a failure.
 */
export async function leaseHook(
  db: Executor,
  id: number,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<Webhook | undefined> {
  const row = await db
    .updateTable('webhook')
    // Not 0, so that whoever lets go of it sees whether it was edited.
    .set({ lease_until: until, retry_at: now })
    .where('id', '=', id)
    .where('lease_until', '<=', now)
    .where('retry_at', '<=', now)
    .returningAll()
    .executeTakeFirst()
  return row && toWebhook(row)
}

/**
 * The webhook as it is then, if it is there still. One that was edited meanwhile does not wait: it
 * has not failed since.
 */
export async function releaseHook(
  db: Executor,
  id: number,
  retryAt: number,
): Promise<Webhook | undefined> {
  const row = await db
    .updateTable('webhook')
    .set({
      lease_until: 0,
      retry_at: sql<number>`CASE WHEN retry_at = 0 THEN 0 ELSE cast(${retryAt} AS bigint) END`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toWebhook(row)
}

/** How many webhooks at the same host somebody delivers to. */
export async function countBusyAtHost(db: Executor, id: number, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('webhook')
    .select(sql<number>`count(*)`.as('count'))
    .where('host', '=', (eb) =>
      eb.selectFrom('webhook as own').select('own.host').where('own.id', '=', id),
    )
    .where('lease_until', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

/** Webhooks that have something to deliver and that nobody works on. */
export async function findIdleWithWaiting(
  db: Executor,
  now: number,
  limit: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('webhook')
    .select('id')
    .where('id', 'in', (eb) =>
      eb.selectFrom('webhook_delivery').select('hook_id').where(isWaiting).distinct(),
    )
    .where('lease_until', '<=', now)
    .where('retry_at', '<=', now)
    .orderBy('retry_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Those that belong to nobody and for which nothing waits. */
export async function deleteDetachedHooks(db: Executor): Promise<void> {
  await db
    .deleteFrom('webhook')
    .where('repository_id', 'is', null)
    .where('account_id', 'is', null)
    .where('is_system', '=', 0)
    .where('is_default', '=', 0)
    .where('id', 'not in', (eb) =>
      eb.selectFrom('webhook_delivery').select('hook_id').where(isWaiting),
    )
    .execute()
}

/** Of those that are over; up to `limit` at once, so that nobody waits long for it. */
export async function deleteOldDeliveries(
  db: Executor,
  before: number,
  limit: number,
): Promise<number> {
  const old = db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('created_at', '<', before)
    .where('is_waiting', '=', 0)
    .orderBy('created_at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('webhook_delivery')
    .where('id', 'in', old)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Gives how many waited. */
export async function stopWaiting(db: Executor, reason: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set({ is_waiting: 0, last_error: reason })
    .where('is_waiting', '=', 1)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
