import {
  isSiteAdmin,
  type Caller,
  type Context,
  type SignedInCaller,
} from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import type { Issue } from '../issues/issue.ts'
import { writesIssue } from '../issues/rights.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { CodeComment } from './code-comment.ts'
import { listCodeComments } from './comment-queries.ts'
import { findPending, findReview } from './queries.ts'
import type { Review } from './review.ts'
import { viewReviews, type ReviewView } from './view.ts'

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

/** A review that was handed in, with what it says about lines; seen by nobody in particular. */
export async function saidInReview(
  db: Executor,
  issueId: number,
  id: number,
): Promise<{ readonly review: Review; readonly comments: readonly CodeComment[] } | undefined> {
  const review = await findReview(db, issueId, id)
  if (!review || review.state === 'PENDING') return undefined
  return { review, comments: await listCodeComments(db, id) }
}

/** What somebody has begun and not handed in. */
export async function loadOwnPending(
  ctx: Context,
  { account }: Caller,
  { id }: Pick<Issue, 'id'>,
): Promise<ReviewView | undefined> {
  const pending = account && (await findPending(ctx.db, id, account.id))
  return pending && (await viewReviews(ctx.db, [pending]))[0]
}

/** A pull request that is locked is for those who write; whoever is blocked says nothing. */
export async function assertMayReview(
  ctx: Context,
  { account }: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
): Promise<void> {
  if (issue.isLocked && !writesIssue(view, issue)) throw forbidden('The pull request is locked.')
  await assertNotBlocked(ctx.db, account.id, [view.owner.id, issue.authorId])
}
