import { isSiteAdmin, type Caller, type Context } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Issue } from '../issues/issue.ts'
import { findReview } from './queries.ts'
import type { Review } from './review.ts'

/** What has not been handed in is for its author and for administrators of the server. */
export async function loadReview(
  ctx: Context,
  caller: Caller,
  issue: Issue,
  id: number,
): Promise<Review> {
  const review = await findReview(ctx.db, issue.id, id)
  if (!review) throw notFound()
  const isOwn = review.reviewerId !== undefined && review.reviewerId === caller.account?.id
  if (review.state === 'PENDING' && !isOwn && !isSiteAdmin(caller)) throw notFound()
  return review
}
