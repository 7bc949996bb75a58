import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue } from '../issues/load.ts'
import { deleteReviews } from './queries.ts'
import type { Review } from './review.ts'

export async function removeReview(
  ctx: Context,
  caller: SignedInCaller,
  issue: Issue,
  review: Review,
): Promise<void> {
  if (review.reviewerId !== caller.account.id && !isSiteAdmin(caller)) {
    throw forbidden('only its author and administrators delete a review')
  }
  await changeIssue(ctx, issue, (tx) => deleteReviews(tx, [review.id]))
}
