import { isSiteAdmin, type Caller, type Context } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Issue } from '../issues/issue.ts'
import { reaches } from '../access-level.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { findReview } from './queries.ts'
import type { Review } from './review.ts'

/** What has not been handed in is for its author and for administrators. */
export function seesPending(caller: Caller, { access }: RepositoryView): boolean {
  return isSiteAdmin(caller) || reaches(access.level, 'admin')
}

export async function loadReview(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  issue: Issue,
  id: number,
): Promise<Review> {
  const review = await findReview(ctx.db, issue.id, id)
  if (!review) throw notFound()
  const isOwn = review.reviewerId !== undefined && review.reviewerId === caller.account?.id
  if (review.state === 'PENDING' && !isOwn && !seesPending(caller, view)) throw notFound()
  return review
}
