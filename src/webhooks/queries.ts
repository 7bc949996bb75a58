import type { ExpressionBuilder } from 'kysely'
import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import type { Changes, NewRow, Row, Schema } from '../db/schema.ts'
import { statement } from '../db/statement.ts'
import type { EventKind } from './events.ts'
import { toWebhook, type HookHome, type Webhook } from './hook.ts'

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

export interface Listener {
  readonly id: number
  readonly branchFilter: string
  /** Which of the events it listens to. */
  readonly kinds: readonly EventKind[]
}

const activeHooks = statement<Pick<Row<'webhook'>, 'id' | 'events' | 'branch_filter'>>(`
  SELECT id, events, branch_filter
  FROM webhook
  WHERE is_active = 1 AND (
    repository_id = ?
    OR account_id = (SELECT owner_id FROM repository WHERE id = ?)
    OR is_system = 1
  )
  ORDER BY id
`)

const activeHooksOfAccount = statement<Pick<Row<'webhook'>, 'id' | 'events' | 'branch_filter'>>(`
  SELECT id, events, branch_filter
  FROM webhook
  WHERE is_active = 1 AND (account_id = ? OR is_system = 1)
  ORDER BY id
`)

/** Where something happened: in a repository, or with an account and in none of its repositories. */
export type Scene = { readonly repositoryId: number } | { readonly accountId: number }

/** The webhooks that listen to one of these events: those of the repository, of its owner and of the system. */
export async function findListeners(
  db: Executor,
  scene: Scene,
  kinds: readonly EventKind[],
): Promise<readonly Listener[]> {
  const rows =
    'accountId' in scene
      ? await activeHooksOfAccount(db, scene.accountId)
      : await activeHooks(db, scene.repositoryId, scene.repositoryId)
  return rows.flatMap((row) => {
    const events = JSON.parse(row.events) as string[]
    const heard = kinds.filter((kind) => events.includes(kind))
    if (heard.length === 0) return []
    return { id: row.id, branchFilter: row.branch_filter, kinds: heard }
  })
}

const defaultHooks = statement<Row<'webhook'>>(
  'SELECT * FROM webhook WHERE is_default = 1 ORDER BY id',
)
const hooksOfRepository = statement<Row<'webhook'>>(
  'SELECT * FROM webhook WHERE repository_id = ? ORDER BY id',
)

/** What a new repository gets of another's webhooks, or of the defaults: all but the deliveries. */
export async function copyHookRows(
  db: Executor,
  from: { readonly repositoryId: number } | 'defaults',
  toId: number,
  now: number,
): Promise<void> {
  const rows =
    from === 'defaults' ? await defaultHooks(db) : await hooksOfRepository(db, from.repositoryId)
  if (rows.length === 0) return
  const copies = rows.map(({ id: _id, ...row }) => ({
    ...row,
    repository_id: toId,
    is_default: 0 as const,
    lease_until: 0,
    retry_at: 0,
    created_at: now,
    updated_at: now,
  }))
  await db.insertInto('webhook').values(copies).execute()
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

const ownerOfRepository = statement<Pick<Row<'repository'>, 'owner_id'>>(
  'SELECT owner_id FROM repository WHERE id = ?',
)

/** For whom is stored what webhooks are told of it. */
export async function placeOf(
  db: Executor,
  scene: Scene,
): Promise<{ readonly repository_id: number; readonly owner_id: number }> {
  if ('accountId' in scene) return { repository_id: 0, owner_id: scene.accountId }
  const [row] = await ownerOfRepository(db, scene.repositoryId)
  return { repository_id: scene.repositoryId, owner_id: row?.owner_id ?? 0 }
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
