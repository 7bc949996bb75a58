import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import { toAccount, type Account } from '../../identity/users/account.ts'

/** What is reacted to: a comment, or the issue itself. */
export interface Subject {
  readonly issueId: number
  readonly commentId: number | undefined
}

export interface Reaction {
  readonly content: string
  readonly createdAt: number
  readonly account: Account
}

function reactionsTo(db: Executor, { issueId, commentId }: Subject) {
  const query = db
    .selectFrom('reaction')
    .innerJoin('account', 'account.id', 'reaction.account_id')
    .selectAll('account')
    .select(['reaction.content', 'reaction.created_at as reacted_at'])
    .where('reaction.issue_id', '=', issueId)
  return commentId === undefined
    ? query.where('reaction.comment_id', 'is', null)
    : query.where('reaction.comment_id', '=', commentId)
}

/** In the order they came. */
export async function listReactions(
  db: Executor,
  subject: Subject,
  page: Page,
): Promise<PageOf<Reaction>> {
  const query = reactionsTo(db, subject).orderBy('reaction.created_at').orderBy('reaction.id')
  return mapPage(await fetchPage(query, page), toReaction)
}

/** How often something was said of an issue or of one of its comments. */
export interface ReactionTally {
  /** Absent of the issue itself. */
  readonly commentId: number | undefined
  readonly content: string
  readonly count: number
  readonly isOwn: boolean
}

/** Of an issue and all its comments, in the order in which each was first said. */
export async function tallyReactions(
  db: Executor,
  issueId: number,
  accountId: number,
): Promise<readonly ReactionTally[]> {
  const rows = await db
    .selectFrom('reaction')
    .select((eb) => [
      'comment_id',
      'content',
      eb.fn.countAll<number>().as('count'),
      sql<number>`max(CASE WHEN account_id = ${accountId} THEN 1 ELSE 0 END)`.as('own'),
    ])
    .where('issue_id', '=', issueId)
    .groupBy(['comment_id', 'content'])
    .orderBy((eb) => eb.fn.min('id'))
    .execute()
  return rows.map(({ comment_id, content, count, own }) => ({
    commentId: comment_id ?? undefined,
    content,
    count,
    isOwn: own === 1,
  }))
}

export async function findReaction(
  db: Executor,
  subject: Subject,
  accountId: number,
  content: string,
): Promise<Reaction | undefined> {
  const row = await reactionsTo(db, subject)
    .where('reaction.account_id', '=', accountId)
    .where('reaction.content', '=', content)
    .executeTakeFirst()
  return row && toReaction(row)
}

/** False when it is there already. */
export async function insertReaction(
  db: Executor,
  { issueId, commentId }: Subject,
  row: { account_id: number; content: string; created_at: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('reaction')
    .values({ ...row, issue_id: issueId, comment_id: commentId ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteReaction(
  db: Executor,
  { issueId, commentId }: Subject,
  accountId: number,
  content: string,
): Promise<void> {
  const query = db
    .deleteFrom('reaction')
    .where('issue_id', '=', issueId)
    .where('account_id', '=', accountId)
    .where('content', '=', content)
  await (
    commentId === undefined
      ? query.where('comment_id', 'is', null)
      : query.where('comment_id', '=', commentId)
  ).execute()
}

function toReaction(
  row: Parameters<typeof toAccount>[0] & { content: string; reacted_at: number },
): Reaction {
  return { content: row.content, createdAt: row.reacted_at, account: toAccount(row) }
}
