import {
  sql,
  type AliasableExpression,
  type Expression,
  type ExpressionBuilder,
  type SqlBool,
} from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { Schema } from '../../platform/db/schema.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import { countByTally, isShown } from './tally-queries.ts'

export interface Activity {
  readonly id: number
  readonly repositoryId: number
  readonly kind: string
  readonly refName: string
  readonly content: string
  readonly isPrivate: boolean
  readonly createdAt: number
  readonly account: Account
  /** What was said, or happened, with the issue that it is about. */
  readonly comment: ActivityComment | undefined
}

export interface ActivityComment {
  readonly id: number
  readonly body: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly issue: { readonly number: number; readonly isPull: boolean }
}

/** A condition on `activity`. */
export type ActivityCondition = (eb: ExpressionBuilder<Schema, 'activity'>) => Expression<SqlBool>

/** Whose activities somebody sees: of those who are visible and do not hide them, and their own. */
export interface SeenActors {
  readonly visible: readonly Account['visibility'][]
  readonly ownId: number | undefined
}

export interface FeedFilter {
  /** Of a repository, of somebody, or of all repositories of an owner. */
  readonly of: { readonly column: 'repository_id' | 'account_id' | 'owner_id'; readonly id: number }
  /** Only what was given to this team. */
  readonly teamId?: number | undefined
  /** Seconds: from, and up to but not including. */
  readonly day?: { readonly from: number; readonly to: number } | undefined
  readonly onlyPublic: boolean
  /** Absent when everybody's are shown. */
  readonly actors?: SeenActors | undefined
  readonly fits?: ActivityCondition | undefined
}

interface AmongFilter extends FeedFilter {
  /**
   * Each entry of the feed is asked: they are those of a day, or so many that a page is soon found.
   */
  readonly inOrder?: boolean
}

/** So many are sorted at once rather than looked for. */
const FEW = 500

/** Newest first. */
export async function listFeed(
  db: Executor,
  filter: FeedFilter,
  page: Page,
): Promise<PageOf<Activity>> {
  const ofDay = { ...filter, inOrder: true }
  const total = await (filter.day ? countRows(db, ofDay) : countByTally(db, filter))
  const left = Math.min(page.limit, total - page.offset)
  if (left <= 0) return { items: [], total }
  const among = filter.day ? ofDay : { ...filter, inOrder: total > FEW }
  const rows = await selectPage(db, among, { offset: page.offset, limit: left }).execute()
  return { items: await toActivities(db, rows), total }
}

/**
 * Which they are is found in the index of the feed alone; the rest is looked up for those that are
 * shown.
 */
function selectPage(db: Executor, filter: AmongFilter, page: Pick<Page, 'limit' | 'offset'>) {
  const ids = ofFeed(db, filter)
    .select('activity.id')
    .orderBy('activity.created_at', 'desc')
    .orderBy('activity.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
  return selectShown(db, ids)
}

/** All that is told of those with these ids, newest first. */
export function selectShown(db: Executor, ids: AliasableExpression<{ id: number }>) {
  return db
    .selectFrom(ids.as('shown'))
    .innerJoin('activity', 'activity.id', 'shown.id')
    .leftJoin('comment', 'comment.id', 'activity.comment_id')
    .leftJoin('issue', 'issue.id', 'activity.issue_id')
    .select([
      'activity.id',
      'activity.repository_id',
      'activity.account_id',
      'activity.kind',
      'activity.ref_name',
      'activity.content',
      'activity.is_private',
      'activity.created_at',
      'activity.comment_id',
      'comment.body as comment_body',
      'comment.created_at as commented_at',
      'comment.updated_at as comment_updated_at',
      'issue.number as issue_number',
      'issue.is_pull',
    ])
    .orderBy('activity.created_at', 'desc')
    .orderBy('activity.id', 'desc')
}

async function countRows(db: Executor, filter: AmongFilter): Promise<number> {
  const { total } = await ofFeed(db, filter)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** All that decides is in the index of the feed. */
function ofFeed(db: Executor, { of, day, actors, ...filter }: AmongFilter) {
  let query = db.selectFrom('activity').where(`activity.${of.column}`, '=', of.id)
  if (day) {
    query = query
      .where('activity.created_at', '>=', day.from)
      .where('activity.created_at', '<', day.to)
  }
  if (actors) query = query.where((eb) => isByShown(eb, actors))
  return query.where((eb) => isShown(eb, filter))
}

/** The few accounts that hide something are looked up once, and no other account at all. */
export function isByShown(
  outer: ExpressionBuilder<Schema, 'activity'>,
  { visible, ownId = 0 }: SeenActors,
): Expression<SqlBool> {
  const hidden = outer
    .selectFrom('account')
    .select('account.id')
    .where(sql<SqlBool>`(hide_activity = 1 OR visibility <> 'public')`)
    .where('account.id', '<>', ownId)
    .where((eb) => eb.or([eb('visibility', 'not in', visible), eb('hide_activity', '=', 1)]))
  return outer('activity.account_id', 'not in', hidden)
}

/** How often somebody did something, by quarters of an hour. */
export async function countByQuarter(
  db: Executor,
  filter: FeedFilter,
): Promise<readonly { readonly at: number; readonly count: number }[]> {
  const quarter = sql<number>`activity.created_at / 900 * 900`
  return ofFeed(db, filter)
    .select([quarter.as('at'), sql<number>`count(*)`.as('count')])
    .groupBy(quarter)
    .orderBy('at')
    .execute()
}

interface FeedColumns extends CommentColumns {
  readonly id: number
  readonly repository_id: number
  readonly account_id: number
  readonly kind: string
  readonly ref_name: string
  readonly content: string
  readonly is_private: 0 | 1
  readonly created_at: number
}

/** What accounts did that are deleted meanwhile is gone with them. */
export async function toActivities(
  db: Executor,
  rows: readonly FeedColumns[],
): Promise<readonly Activity[]> {
  const accounts = await findAllById(
    db,
    rows.map((row) => row.account_id),
  )
  return rows.flatMap((row) => {
    const account = accounts.get(row.account_id)
    return account ? toActivity(row, account) : []
  })
}

function toActivity(row: FeedColumns, account: Account): Activity {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    kind: row.kind,
    refName: row.ref_name,
    content: row.content,
    isPrivate: row.is_private === 1,
    createdAt: row.created_at,
    account,
    comment: toComment(row),
  }
}

interface CommentColumns {
  readonly comment_id: number | null
  readonly comment_body: string | null
  readonly commented_at: number | null
  readonly comment_updated_at: number | null
  readonly issue_number: number | null
  readonly is_pull: number | null
}

function toComment(row: CommentColumns): ActivityComment | undefined {
  if (row.comment_id === null || row.issue_number === null) return undefined
  return {
    id: row.comment_id,
    body: row.comment_body ?? '',
    createdAt: row.commented_at ?? 0,
    updatedAt: row.comment_updated_at ?? 0,
    issue: { number: row.issue_number, isPull: row.is_pull === 1 },
  }
}
