import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type SqlBool,
} from 'kysely'
import type { Flag } from '../../platform/db/columns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { OrderKey } from '../../platform/db/keyset.ts'
import { fetchOrderedPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Schema } from '../../platform/db/schema.ts'

export const statuses = ['unread', 'read', 'pinned'] as const
export type Status = (typeof statuses)[number]

/** Somebody's news of one issue, or of a repository. */
export interface Thread {
  readonly id: number
  /** Null where it is about a repository. */
  readonly issueId: number | null
  readonly repositoryId: number
  readonly offerId: number | null
  readonly status: string
  readonly updatedAt: number
}

/** A condition on the repository and the kind of an issue, which its threads know. */
type ThreadCondition = (eb: ExpressionBuilder<Schema, 'notification'>) => Expression<SqlBool>

export interface ThreadFilter {
  readonly accountId: number
  /** What they may not read any more is not told of either. */
  readonly readable: ThreadCondition
  /** `undefined`: all. */
  readonly statuses?: readonly Status[] | undefined
  readonly kinds: {
    readonly issues: boolean
    readonly pulls: boolean
    readonly repositories: boolean
  }
  readonly repositoryId?: number | undefined
  readonly issueId?: number | undefined
  readonly since?: number | undefined
  readonly before?: number | undefined
}

/** What decides whether somebody may read a thread. */
const placeColumns = [
  'notification.repository_id',
  'notification.is_pull',
  'notification.is_repository',
] as const

function threads(db: Executor, filter: ThreadFilter) {
  return allThreads(db, filter).where(filter.readable)
}

/**
 * The same, for pages that many come before: whether one is readable is asked once for each place,
 * not for each thread.
 */
function threadsByPlace(db: Executor, filter: ThreadFilter) {
  const places = allThreads(db, filter).select(placeColumns).distinct()
  const readable = db
    .selectFrom(places.as('notification'))
    .select(placeColumns)
    .where((eb) => filter.readable(eb as never))
  return allThreads(db, filter).where(
    sql<SqlBool>`(notification.repository_id, notification.is_pull, notification.is_repository)
      IN (${readable})`,
  )
}

/** Also of what they may not read any more. */
function allThreads(db: Executor, filter: ThreadFilter) {
  const { accountId, kinds, repositoryId, issueId, since, before } = filter
  let query = db.selectFrom('notification').where('notification.account_id', '=', accountId)
  if (!kinds.issues || !kinds.pulls || !kinds.repositories) {
    query = query.where((eb) => eb.or(wantedKinds(kinds)))
  }
  if (filter.statuses) query = query.where('notification.status', 'in', filter.statuses)
  if (repositoryId !== undefined)
    query = query.where('notification.repository_id', '=', repositoryId)
  if (issueId !== undefined) query = query.where('notification.issue_id', '=', issueId)
  if (since !== undefined) query = query.where('notification.updated_at', '>=', since)
  if (before !== undefined) query = query.where('notification.updated_at', '<=', before)
  return query
}

function wantedKinds({ issues, pulls, repositories }: ThreadFilter['kinds']) {
  const eb = expressionBuilder<Schema, 'notification'>()
  const isOf = (pull: Flag) =>
    eb.and([
      eb('notification.is_pull', '=', pull),
      eb('notification.is_repository', '=', sql.lit(0)),
    ])
  return [
    ...(issues ? [isOf(0)] : []),
    ...(pulls ? [isOf(1)] : []),
    ...(repositories ? [eb('notification.is_repository', '=', 1)] : []),
  ]
}

const columns = [
  'notification.id',
  'notification.issue_id as issueId',
  'notification.repository_id as repositoryId',
  'notification.offer_id as offerId',
  'notification.status',
  'notification.updated_at as updatedAt',
] as const

const newestFirst: readonly OrderKey[] = [
  { by: sql`notification.updated_at`, kind: 'number', direction: 'desc' },
  { by: sql`notification.id`, kind: 'number', direction: 'desc' },
]

/** As many come before a page that it is worth asking for all places first. */
const FAR = 1000

export async function listThreads(
  db: Executor,
  filter: ThreadFilter,
  page: Page,
): Promise<PageOf<Thread>> {
  const wanted = page.offset < FAR ? threads(db, filter) : threadsByPlace(db, filter)
  const query = wanted.select(columns)
  return fetchOrderedPage(query, newestFirst, page, () => countThreads(db, filter))
}

export async function findThread(
  db: Executor,
  filter: ThreadFilter,
  id: number,
): Promise<Thread | undefined> {
  return threads(db, filter).select(columns).where('notification.id', '=', id).executeTakeFirst()
}

/**
 * Whoever reads one issue of a repository reads all of its kind there: that is asked once for all
 * of them.
 */
export async function countThreads(db: Executor, filter: ThreadFilter): Promise<number> {
  const places = allThreads(db, filter)
    .select([...placeColumns, (eb) => eb.fn.countAll().as('threads')])
    .groupBy(placeColumns)
  const { count } = await db
    .selectFrom(places.as('notification'))
    .select(sql<number>`CAST(coalesce(sum(notification.threads), 0) AS bigint)`.as('count'))
    .where((eb) => filter.readable(eb as never))
    .executeTakeFirstOrThrow()
  return count
}

/** As many as there are, or as are asked for. */
export async function countSomeThreads(
  db: Executor,
  filter: ThreadFilter,
  atMost: number,
): Promise<number> {
  const counted = threads(db, filter).select('notification.id').limit(sql.lit(atMost))
  const { count } = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The ids of those that were changed. */
export async function updateThreads(
  db: Executor,
  filter: ThreadFilter,
  status: Status,
): Promise<readonly number[]> {
  const rows = await db
    .updateTable('notification')
    .set({ status })
    .where('notification.id', 'in', threads(db, filter).select('notification.id'))
    .returning('notification.id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateThread(db: Executor, id: number, status: Status): Promise<void> {
  await db.updateTable('notification').set({ status }).where('id', '=', id).execute()
}

/** Newest first. */
export async function findThreads(
  db: Executor,
  ids: readonly number[],
): Promise<readonly Thread[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('notification')
    .select(columns)
    .where('notification.id', 'in', ids)
    .orderBy('notification.updated_at', 'desc')
    .orderBy('notification.id', 'desc')
    .execute()
}
