import type { Attachment } from '../attachments/attachment.ts'
import { attachmentsOfComments } from '../attachments/load.ts'
import type { Executor } from '../db/database.ts'
import type { Issue } from '../issues/issue.ts'
import { issuesById } from '../issues/load.ts'
import { ghost, type Account } from '../users/account.ts'
import { findAllById } from '../users/load.ts'
import type { Comment } from './comment.ts'

/** A comment with all that its record shows. */
export interface CommentView {
  readonly comment: Comment
  readonly issue: Issue
  readonly author: Account
  readonly assets: readonly Attachment[]
}

/** A fixed number of statements, whatever the number of comments. */
export async function viewComments(
  db: Executor,
  comments: readonly Comment[],
): Promise<readonly CommentView[]> {
  if (comments.length === 0) return []
  const issues = await issuesById(
    db,
    comments.map(({ issueId }) => issueId),
  )
  const authors = await findAllById(
    db,
    comments.flatMap(({ authorId }) => authorId ?? []),
  )
  const assets = await attachmentsOfComments(
    db,
    comments.map(({ id }) => id),
  )
  return comments.flatMap((comment) => {
    const issue = issues.get(comment.issueId)
    if (!issue) return []
    const author = authors.get(comment.authorId ?? 0) ?? ghost
    return { comment, issue, author, assets: assets.get(comment.id) ?? [] }
  })
}

export async function viewComment(db: Executor, comment: Comment): Promise<CommentView> {
  const [view] = await viewComments(db, [comment])
  if (!view) throw new Error(`the issue of comment ${comment.id} is missing`)
  return view
}
