import { commentById } from '../../collaboration/comments/load.ts'
import type { Comment } from '../../collaboration/comments/comment.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { saidInReview } from '../../collaboration/reviews/load.ts'
import type { ReviewState } from '../../collaboration/reviews/review.ts'

/**
 * What somebody hears of: an issue, something that was said about it, or something that happened to
 * it.
 */
export interface Said {
  readonly kind: 'open' | Comment['kind']
  readonly text: string
  readonly reviewState?: ReviewState
}

/** As it is now; nothing when it has been taken back. Without a comment it is the issue itself. */
export async function findSaid(
  db: Executor,
  issue: Issue,
  commentId: number | undefined,
): Promise<Said | undefined> {
  if (commentId === undefined) return { kind: 'open', text: issue.body }
  const comment = await commentById(db, commentId)
  if (!comment || comment.issueId !== issue.id) return undefined
  const { kind, body, details } = comment
  if (details.reviewId === undefined || kind !== 'review') return { kind, text: body }
  return findReview(db, issue, details.reviewId)
}

async function findReview(db: Executor, issue: Issue, id: number): Promise<Said | undefined> {
  const said = await saidInReview(db, issue.id, id)
  if (!said) return undefined
  const { review, comments } = said
  const lines = comments.map(({ path, body }) => `\`${path}\`:\n\n${body}`)
  const texts = [review.body, ...lines].filter((text) => text.trim() !== '')
  return { kind: 'review', text: texts.join('\n\n'), reviewState: review.state }
}
