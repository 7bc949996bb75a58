import { recordActivity, type ActivityKind } from '../activity/record.ts'
import { recordEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { cutToColumns } from '../issues/columns.ts'
import type { Issue } from '../issues/issue.ts'
import { touchIssue } from '../issues/load.ts'
import { retryScheduled } from '../pulls/auto-merge.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { announcePull } from '../webhooks/pull-events.ts'
import { deleteReviews, findOwnRequests, unofficialEarlier } from './queries.ts'
import { isDecision, type Review, type ReviewState } from './review.ts'

/** How much of a review the feed shows. */
const FEED_COLUMNS = 200

/** What comes of a review that has been handed in. */
export async function settle(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  review: Review,
): Promise<void> {
  if (isDecision(review)) {
    const { id: exceptId } = review
    await unofficialEarlier(tx, { issueId: issue.id, reviewerId: account.id, exceptId })
  }
  await deleteReviews(tx, await findOwnRequests(tx, issue.id, account.id))
  await touchIssue(tx, issue.id, ctx.now())
  await record(ctx, tx, account.id, view, issue, review)
  await announcePull(ctx, tx, account, issue, [
    {
      kind: 'pull_request_review',
      exactly: `pull_request_review_${wordOf(review.state)}`,
      action: 'reviewed',
      review: { type: `pull_request_review_${wordOf(review.state)}`, content: review.body },
    },
  ])
  await retryScheduled(ctx, tx, { issueId: issue.id })
}

async function record(
  ctx: Context,
  tx: Executor,
  actorId: number,
  { repo }: RepositoryView,
  issue: Issue,
  review: Review,
): Promise<void> {
  const deed = { issueId: issue.id, actorId, at: ctx.now() }
  const commentId = await recordEvent(tx, deed, {
    kind: 'review',
    body: review.body,
    details: { reviewId: review.id },
  })
  const { kind, text } = activityOf(review)
  await recordActivity(tx, {
    repositoryId: repo.id,
    accountId: actorId,
    kind,
    content: `${issue.number}|${text}`,
    isPrivate: repo.isPrivate,
    issueId: issue.id,
    commentId,
    at: ctx.now(),
  })
  await ctx.jobs.enqueue(tx, 'notify_of_issue', { issueId: issue.id, actorId })
}

function activityOf({ state, body }: Review): { kind: ActivityKind; text: string } {
  const [firstLine = ''] = body.split('\n')
  if (state === 'APPROVED') return { kind: 'approve_pull_request', text: firstLine }
  if (state === 'REQUEST_CHANGES') return { kind: 'reject_pull_request', text: firstLine }
  return { kind: 'comment_pull', text: cutToColumns(body, FEED_COLUMNS) }
}

function wordOf(state: ReviewState): string {
  if (state === 'APPROVED') return 'approved'
  return state === 'REQUEST_CHANGES' ? 'rejected' : 'comment'
}
