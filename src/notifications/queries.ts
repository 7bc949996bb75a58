import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'
import type { OrderKey } from '../db/keyset.ts'
import { fetchOrderedPage, type Page, type PageOf } from '../db/page.ts'
import type { IssueCondition } from '../issues/conditions.ts'

export const statuses = ['unread', 'read', 'pinned'] as const
export type Status = (typeof statuses)[number]

/** Somebody's news of one issue. */
export interface Thread {
  readonly id: number
  readonly issueId: number
  readonly status: string
  readonly updatedAt: number
}

export interface ThreadFilter {
  readonly accountId: number
  /** What they may not read any more is not told of either. */
  readonly readable: IssueCondition
  /** `undefined`: all. */
  readonly statuses?: readonly Status[] | undefined
  readonly kinds: { readonly issues: boolean; readonly pulls: boolean }
  readonly repositoryId?: number | undefined
  readonly issueId?: number | undefined
  readonly since?: number | undefined
  readonly before?: number | undefined
}

function threads(db: Executor, filter: ThreadFilter) {
  return allThreads(db, filter).where((eb) => filter.readable(eb as never))
}

/** Also of what they may not read any more. */
function allThreads(db: Executor, filter: ThreadFilter) {
  const { accountId, kinds, repositoryId, issueId, since, before } = filter
  let query = db
    .selectFrom('notification')
    .innerJoin('issue', 'issue.id', 'notification.issue_id')
    .where('notification.account_id', '=', accountId)
  if (!kinds.issues) query = query.where('issue.is_pull', '=', 1)
  if (!kinds.pulls) query = query.where('issue.is_pull', '=', 0)
  if (filter.statuses) query = query.where('notification.status', 'in', filter.statuses)
  if (repositoryId !== undefined) query = query.where('issue.repository_id', '=', repositoryId)
  if (issueId !== undefined) query = query.where('issue.id', '=', issueId)
  if (since !== undefined) query = query.where('notification.updated_at', '>=', since)
  if (before !== undefined) query = query.where('notification.updated_at', '<=', before)
  return query
}

const columns = [
  'notification.id',
  'notification.issue_id as issueId',
  'notification.status',
  'notification.updated_at as updatedAt',
] as const

const newestFirst: readonly OrderKey[] = [
  { by: sql`notification.updated_at`, kind: 'number', direction: 'desc' },
  { by: sql`notification.id`, kind: 'number', direction: 'desc' },
]

export async function listThreads(
  db: Executor,
  filter: ThreadFilter,
  page: Page,
): Promise<PageOf<Thread>> {
  const query = threads(db, filter).select(columns)
  return fetchOrderedPage(query, newestFirst, page, () => countThreads(db, filter))
}

export async function findThread(
  db: Executor,
  filter: ThreadFilter,
  id: number,
): Promise<Thread | undefined> {
  return threads(db, filter).select(columns).where('notification.id', '=', id).executeTakeFirst()
}

/** Whoever reads one issue of a repository reads all of its kind there: that is asked once for all of them. */
export async function countThreads(db: Executor, filter: ThreadFilter): Promise<number> {
  const places = allThreads(db, filter)
    .select(['issue.repository_id', 'issue.is_pull', (eb) => eb.fn.countAll().as('threads')])
    .groupBy(['issue.repository_id', 'issue.is_pull'])
  const { count } = await db
    .selectFrom(places.as('issue'))
    .select(sql<number>`CAST(coalesce(sum(issue.threads), 0) AS bigint)`.as('count'))
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
