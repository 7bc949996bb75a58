import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { attachmentsOfComments } from '../../repositories/attachments/load.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Issue } from '../issues/issue.ts'
import { issuesById } from '../issues/load.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { findOthers } from '../../identity/users/load.ts'
import type { Comment } from './comment.ts'

/** A comment with all that its record shows. */
export interface CommentView {
  readonly comment: Comment
  readonly issue: Issue
  readonly author: Account
  readonly assets: readonly Attachment[]
}

/** What has been read already, and is not read again. */
export interface Known {
  readonly issue?: Issue
  readonly account?: Account | undefined
}

/** A fixed number of statements, whatever the number of comments. */
export async function viewComments(
  db: Executor,
  comments: readonly Comment[],
  { issue: known, account }: Known = {},
): Promise<readonly CommentView[]> {
  if (comments.length === 0) return []
  const issues = known
    ? new Map([[known.id, known]])
    : await issuesById(
        db,
        comments.map(({ issueId }) => issueId),
      )
  const authors = await findOthers(
    db,
    account,
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

export async function viewComment(
  db: Executor,
  comment: Comment,
  known?: Known,
): Promise<CommentView> {
  const [view] = await viewComments(db, [comment], known)
  if (!view) throw new Error(`the issue of comment ${comment.id} is missing`)
  return view
}
