import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Executor } from '../db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import type { NewRow, Schema } from '../db/schema.ts'
import { toAccount, type Account } from '../users/account.ts'

/** A statement takes only so many parameters. */
const ROWS_AT_ONCE = 1000

export async function insertActivities(
  db: Executor,
  rows: readonly NewRow<'activity'>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await db
      .insertInto('activity')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
  }
}

/** What was recorded of a repository that becomes private stays private for good. */
export async function hideActivities(
  db: Executor,
  repositoryIds: readonly number[],
): Promise<void> {
  await db
    .updateTable('activity')
    .set({ is_private: 1 })
    .where('repository_id', 'in', repositoryIds)
    .execute()
}

export interface Activity {
  readonly id: number
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

export interface FeedFilter {
  readonly repositoryId: number
  /** Seconds: from, and up to but not including. */
  readonly day?: { readonly from: number; readonly to: number } | undefined
  readonly onlyPublic: boolean
  /** Kinds that tell of what the caller does not read. */
  readonly hiddenKinds: readonly string[]
  readonly readable: ActorCondition
}

export type ActorCondition = (eb: ExpressionBuilder<Schema, 'account'>) => Expression<SqlBool>

/** Newest first. */
export async function listFeed(
  db: Executor,
  { repositoryId, day, onlyPublic, hiddenKinds, readable }: FeedFilter,
  page: Page,
): Promise<PageOf<Activity>> {
  let query = db
    .selectFrom('activity')
    .innerJoin('account', 'account.id', 'activity.account_id')
    .leftJoin('comment', 'comment.id', 'activity.comment_id')
    .leftJoin('issue', 'issue.id', 'activity.issue_id')
    .selectAll('account')
    .select([
      'activity.id as activity_id',
      'activity.kind as activity_kind',
      'activity.ref_name',
      'activity.content',
      'activity.is_private',
      'activity.created_at as happened_at',
      'activity.comment_id',
      'comment.body as comment_body',
      'comment.created_at as commented_at',
      'comment.updated_at as comment_updated_at',
      'issue.number as issue_number',
      'issue.is_pull',
    ])
    .where('activity.repository_id', '=', repositoryId)
    .where(readable)
    .orderBy('activity.created_at', 'desc')
    .orderBy('activity.id', 'desc')
  if (day) {
    query = query
      .where('activity.created_at', '>=', day.from)
      .where('activity.created_at', '<', day.to)
  }
  if (hiddenKinds.length > 0) query = query.where('activity.kind', 'not in', hiddenKinds)
  if (onlyPublic) query = query.where('activity.is_private', '=', 0)
  return mapPage(await fetchPage(query, page), (row) => ({
    id: row.activity_id,
    kind: row.activity_kind,
    refName: row.ref_name,
    content: row.content,
    isPrivate: row.is_private === 1,
    createdAt: row.happened_at,
    account: toAccount(row),
    comment: toComment(row),
  }))
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
