import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'
import { statement } from '../../platform/db/statement.ts'

/** What is asked of an issue or a comment here. */
export interface Attachable {
  readonly repositoryId: number
  readonly issueId: number
  readonly isPull: boolean
  /** Who wrote it; absent when the account is gone. */
  readonly authorId: number | undefined
  /** Who wrote the issue. */
  readonly issueAuthorId: number | undefined
}

type IssueRow = Pick<Row<'issue'>, 'id' | 'repository_id' | 'is_pull' | 'author_id'>

const issueNumbered = statement<IssueRow>(
  'SELECT id, repository_id, is_pull, author_id FROM issue WHERE repository_id = ? AND number = ?',
)

export async function findIssueByNumber(
  db: Executor,
  repositoryId: number,
  number: number,
): Promise<Attachable | undefined> {
  const [row] = await issueNumbered(db, repositoryId, number)
  return (
    row && {
      repositoryId: row.repository_id,
      issueId: row.id,
      isPull: row.is_pull === 1,
      authorId: row.author_id ?? undefined,
      issueAuthorId: row.author_id ?? undefined,
    }
  )
}

/** Of what was said; events have no attachments. */
export async function findCommentById(db: Executor, id: number): Promise<Attachable | undefined> {
  const row = await db
    .selectFrom('comment')
    .innerJoin('issue', 'issue.id', 'comment.issue_id')
    .select(['issue.id', 'issue.repository_id', 'issue.is_pull', 'comment.author_id'])
    .select('issue.author_id as issue_author_id')
    .where('comment.id', '=', id)
    .where('comment.kind', '=', 'comment')
    .executeTakeFirst()
  return (
    row && {
      repositoryId: row.repository_id,
      issueId: row.id,
      isPull: row.is_pull === 1,
      authorId: row.author_id ?? undefined,
      issueAuthorId: row.issue_author_id ?? undefined,
    }
  )
}

export async function touchComment(tx: Executor, id: number, now: number): Promise<void> {
  await tx.updateTable('comment').set({ updated_at: now }).where('id', '=', id).execute()
}
