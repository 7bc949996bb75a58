import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import type { IssueCondition } from '../issues/conditions.ts'
import type { Stopwatch, TrackedTime } from './tracked-time.ts'

export interface TimeFilter {
  readonly issueId?: number | undefined
  readonly repositoryId?: number | undefined
  readonly accountId?: number | undefined
  /** When it was spent, in seconds; both inclusive. */
  readonly since?: number | undefined
  readonly before?: number | undefined
  readonly readable: IssueCondition
}

/** Oldest first. */
export async function listTimes(
  db: Executor,
  filter: TimeFilter,
  page: Page,
): Promise<PageOf<TrackedTime>> {
  const ids = await matching(db, filter)
    .where((eb) => filter.readable(eb as never))
    .select('tracked_time.id')
    .orderBy('tracked_time.created_at')
    .orderBy('tracked_time.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const found = await findTimes(
    db,
    ids.map(({ id }) => id),
  )
  const isWhole = page.offset === 0 && ids.length < page.limit
  const total = isWhole ? ids.length : await countTimes(db, filter)
  return { items: ids.flatMap(({ id }) => found.get(id) ?? []), total }
}

/** Also of what the caller may not read. */
function matching(
  db: Executor,
  { issueId, repositoryId, accountId, since, before }: Omit<TimeFilter, 'readable'>,
) {
  let query = db.selectFrom('tracked_time').innerJoin('issue', 'issue.id', 'tracked_time.issue_id')
  if (issueId !== undefined) query = query.where('tracked_time.issue_id', '=', issueId)
  if (repositoryId !== undefined) query = query.where('issue.repository_id', '=', repositoryId)
  if (accountId !== undefined) query = query.where('tracked_time.account_id', '=', accountId)
  if (since !== undefined) query = query.where('tracked_time.created_at', '>=', since)
  if (before !== undefined) query = query.where('tracked_time.created_at', '<=', before)
  return query
}

/**
 * Whoever reads one issue of a repository reads all of its kind there: that is asked once for all
 * of them.
 */
async function countTimes(db: Executor, { readable, ...filter }: TimeFilter): Promise<number> {
  const places = matching(db, filter)
    .select(['issue.repository_id', 'issue.is_pull', (eb) => eb.fn.countAll().as('times')])
    .groupBy(['issue.repository_id', 'issue.is_pull'])
  const { total } = await db
    .selectFrom(places.as('issue'))
    .select(sql<number>`CAST(coalesce(sum(issue.times), 0) AS bigint)`.as('total'))
    .where((eb) => readable(eb as never))
    .executeTakeFirstOrThrow()
  return total
}

export async function findTimes(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TrackedTime>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('tracked_time')
    .innerJoin('account', 'account.id', 'tracked_time.account_id')
    .select([
      'tracked_time.id',
      'tracked_time.issue_id as issueId',
      'tracked_time.account_id as accountId',
      'account.name as accountName',
      'tracked_time.seconds',
      'tracked_time.created_at as createdAt',
    ])
    .where('tracked_time.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function insertTime(db: Executor, row: NewRow<'tracked_time'>): Promise<number> {
  const { id } = await db
    .insertInto('tracked_time')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** False when it was gone already. */
export async function deleteTime(db: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tracked_time')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** How many seconds that were; `undefined` when there was nothing. */
export async function deleteTimesOf(
  db: Executor,
  issueId: number,
  accountId: number,
): Promise<number | undefined> {
  const rows = await db
    .deleteFrom('tracked_time')
    .where('issue_id', '=', issueId)
    .where('account_id', '=', accountId)
    .returning('seconds')
    .execute()
  if (rows.length === 0) return undefined
  return rows.reduce((sum, { seconds }) => sum + seconds, 0)
}

/** False when it runs already. */
export async function insertStopwatch(db: Executor, row: NewRow<'stopwatch'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('stopwatch')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'issue_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** When it was started; `undefined` when it did not run. */
export async function deleteStopwatch(
  db: Executor,
  issueId: number,
  accountId: number,
): Promise<number | undefined> {
  const row = await db
    .deleteFrom('stopwatch')
    .where('issue_id', '=', issueId)
    .where('account_id', '=', accountId)
    .returning('started_at')
    .executeTakeFirst()
  return row?.started_at
}

/** The issue that somebody's stopwatch runs on. */
export async function findRunning(db: Executor, accountId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('stopwatch')
    .select('issue_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.issue_id
}

export async function listStopwatches(
  db: Executor,
  accountId: number,
  readable: IssueCondition,
  page: Page,
): Promise<PageOf<Stopwatch>> {
  const query = db
    .selectFrom('stopwatch')
    .innerJoin('issue', 'issue.id', 'stopwatch.issue_id')
    .innerJoin('repository', 'repository.id', 'issue.repository_id')
    .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
    .select([
      'stopwatch.started_at as startedAt',
      'issue.number as issueNumber',
      'issue.title as issueTitle',
      'owner.name as ownerName',
      'repository.name as repositoryName',
    ])
    .where('stopwatch.account_id', '=', accountId)
    .where((eb) => readable(eb as never))
    .orderBy('stopwatch.started_at')
  return fetchPage(query, page)
}

export async function isAssigned(
  db: Executor,
  issueId: number,
  accountId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('issue_assignee')
    .select('account_id')
    .where('issue_id', '=', issueId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}
