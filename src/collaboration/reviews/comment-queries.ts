import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'
import type { CodeComment, NewCodeComment, Place } from './code-comment.ts'

export interface Commented extends NewCodeComment {
  readonly diffHunk: string
  readonly place: Place | undefined
}

export interface CommentPlace {
  readonly issueId: number
  readonly reviewId: number
  readonly authorId: number
  readonly commitId: string
  readonly now: number
}

/** Texts lie with all other comments, lines beside them. */
export async function insertCodeComments(
  db: Executor,
  { issueId, reviewId, authorId, commitId, now }: CommentPlace,
  comments: readonly Commented[],
): Promise<readonly number[]> {
  if (comments.length === 0) return []
  const made = await db
    .insertInto('comment')
    .values(
      comments.map(({ body }) => ({
        issue_id: issueId,
        author_id: authorId,
        kind: 'code',
        body,
        created_at: now,
        updated_at: now,
      })),
    )
    .returning('id')
    .execute()
  const ids = made.map(({ id }) => id).toSorted((a, b) => a - b)
  await db
    .insertInto('review_comment')
    .values(
      comments.map(({ path, oldLine, newLine, diffHunk, place }, index) => ({
        comment_id: ids[index] ?? 0,
        review_id: reviewId,
        path,
        old_line: oldLine,
        new_line: newLine,
        commit_id: commitId,
        diff_hunk: diffHunk,
        place_commit_id: place?.commitId,
        place_path: place?.path,
        place_line: place?.line,
      })),
    )
    .execute()
  return ids
}

export async function listCodeComments(
  db: Executor,
  reviewId: number,
): Promise<readonly CodeComment[]> {
  const rows = await codeComments(db)
    .where('review_comment.review_id', '=', reviewId)
    .orderBy('comment.id')
    .execute()
  return rows.map(toCodeComment)
}

/** Like `listCodeComments`, of all reviews of a pull request. */
export async function listCodeCommentsOf(
  db: Executor,
  issueId: number,
): Promise<readonly CodeComment[]> {
  const rows = await codeComments(db)
    .where('comment.issue_id', '=', issueId)
    .orderBy('comment.id')
    .execute()
  return rows.map(toCodeComment)
}

export async function findCodeComment(
  db: Executor,
  id: number,
): Promise<(CodeComment & { readonly issueId: number }) | undefined> {
  const row = await codeComments(db).where('comment.id', '=', id).executeTakeFirst()
  return row && { ...toCodeComment(row), issueId: row.issue_id }
}

function codeComments(db: Executor) {
  return db
    .selectFrom('review_comment')
    .innerJoin('comment', 'comment.id', 'review_comment.comment_id')
    .selectAll('review_comment')
    .select([
      'comment.issue_id',
      'comment.author_id',
      'comment.body',
      'comment.created_at',
      'comment.updated_at',
    ])
}

type JoinedRow = Row<'review_comment'> &
  Pick<Row<'comment'>, 'issue_id' | 'author_id' | 'body' | 'created_at' | 'updated_at'>

function toCodeComment(row: JoinedRow): CodeComment {
  return {
    id: row.comment_id,
    reviewId: row.review_id,
    authorId: row.author_id ?? undefined,
    body: row.body,
    path: row.path,
    oldLine: row.old_line,
    newLine: row.new_line,
    commitId: row.commit_id,
    diffHunk: row.diff_hunk,
    place:
      row.place_commit_id === ''
        ? undefined
        : { commitId: row.place_commit_id, path: row.place_path, line: row.place_line },
    resolverId: row.resolver_id ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/**
 * All that is said of one line of one side of a pull request is about another place from now on.
 */
export async function updatePlace(
  db: Executor,
  ids: readonly number[],
  { commitId, path, line }: Place,
): Promise<void> {
  await db
    .updateTable('review_comment')
    .set({ place_commit_id: commitId, place_path: path, place_line: line })
    .where('comment_id', 'in', ids)
    .execute()
}

/** False when it is gone. */
export async function updateCodeComment(
  db: Executor,
  id: number,
  { body, now }: { readonly body: string; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('comment')
    .set({ body, updated_at: now })
    .where('id', '=', id)
    .where('kind', '=', 'code')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when it was gone already. */
export async function deleteCodeComment(db: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('comment')
    .where('id', '=', id)
    .where('kind', '=', 'code')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countByReview(
  db: Executor,
  reviewIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (reviewIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('review_comment')
    .select(['review_id', sql<number>`count(*)`.as('comments')])
    .where('review_id', 'in', reviewIds)
    .groupBy('review_id')
    .execute()
  return new Map(rows.map((row) => [row.review_id, row.comments]))
}

export async function setResolver(
  db: Executor,
  commentId: number,
  resolverId: number | null,
): Promise<void> {
  await db
    .updateTable('review_comment')
    .set({ resolver_id: resolverId })
    .where('comment_id', '=', commentId)
    .execute()
}
