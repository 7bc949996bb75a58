import { recordEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue } from '../issues/load.ts'
import { dismissReviews, updateReview } from './queries.ts'
import { isDecision, type Review } from './review.ts'

export interface Dismissal {
  readonly isDismissed: boolean
  readonly message: string
  /** With all that the same person has decided before. */
  readonly withPriors: boolean
}

/** Only what decides something can stop counting, or count again. */
export async function dismissReview(
  ctx: Context,
  { account }: SignedInCaller,
  issue: Issue,
  review: Review,
  { isDismissed, message, withPriors }: Dismissal,
): Promise<Review> {
  if (!isDecision(review)) {
    throw forbidden(
      "not need to dismiss this review because it's type is not Approve or change request",
    )
  }
  if (issue.isClosed) {
    throw forbidden('not need to dismiss this review because this pr is closed')
  }
  return changeIssue(ctx, issue, async (tx) => {
    const now = ctx.now()
    if (isDismissed && withPriors && review.reviewerId !== undefined) {
      await dismissReviews(tx, issue.id, { reviewerId: review.reviewerId, now })
    }
    const changes = { is_dismissed: isDismissed ? (1 as const) : (0 as const), updated_at: now }
    const changed = await updateReview(tx, review.id, changes)
    if (!changed) throw notFound()
    if (isDismissed) {
      const deed = { issueId: issue.id, actorId: account.id, at: now }
      const details = { reviewId: review.id }
      await recordEvent(tx, deed, { kind: 'dismiss_review', body: message, details })
    }
    return changed
  })
}
