import type { ExpressionBuilder } from 'kysely'
import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Schema } from '../../platform/db/schema.ts'
import { toWebhook, type HookHome, type Webhook } from '../../events/webhooks/hook.ts'

export type SystemKind = 'system' | 'default' | 'all'

export async function listHooks(
  db: Executor,
  home: HookHome,
  page: Page,
  systemKind: SystemKind = 'all',
): Promise<PageOf<Webhook>> {
  const query = db
    .selectFrom('webhook')
    .selectAll()
    .where(isOf(home, systemKind))
    .orderBy('webhook.id')
  return mapPage(await fetchPage(query, page), toWebhook)
}

export async function findHook(
  db: Executor,
  home: HookHome,
  id: number,
): Promise<Webhook | undefined> {
  const row = await db
    .selectFrom('webhook')
    .selectAll()
    .where(isOf(home))
    .where('webhook.id', '=', id)
    .executeTakeFirst()
  return row && toWebhook(row)
}

/** Wherever it belongs to. */
export async function findHookById(db: Executor, id: number): Promise<Webhook | undefined> {
  const row = await db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toWebhook(row)
}

export async function countHooks(db: Executor, home: HookHome): Promise<number> {
  const { count } = await db
    .selectFrom('webhook')
    .select(sql<number>`count(*)`.as('count'))
    .where(isOf(home))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertHook(db: Executor, row: NewRow<'webhook'>): Promise<Webhook> {
  const made = await db.insertInto('webhook').values(row).returningAll().executeTakeFirstOrThrow()
  return toWebhook(made)
}

export async function updateHook(
  db: Executor,
  id: number,
  changes: Changes<'webhook'>,
): Promise<Webhook | undefined> {
  const row = await db
    .updateTable('webhook')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toWebhook(row)
}

export async function deleteHook(db: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('webhook').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

function isOf(home: HookHome, systemKind: SystemKind = 'all') {
  return (eb: ExpressionBuilder<Schema, 'webhook'>) => {
    if (home.kind === 'repository') return eb('webhook.repository_id', '=', home.id)
    if (home.kind !== 'system') return eb('webhook.account_id', '=', home.id)
    if (systemKind === 'system') return sql<SqlBool>`is_system = 1`
    if (systemKind === 'default') return sql<SqlBool>`is_default = 1`
    return sql<SqlBool>`(is_system = 1 OR is_default = 1)`
  }
}

/** Of an account, or of all. */
export async function findNewestRepository(
  db: Executor,
  home: HookHome,
): Promise<number | undefined> {
  let query = db.selectFrom('repository').select('id').orderBy('id', 'desc').limit(1)
  if (home.kind !== 'system') query = query.where('owner_id', '=', home.id)
  return (await query.executeTakeFirst())?.id
}
