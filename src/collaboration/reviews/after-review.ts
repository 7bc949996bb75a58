import { recordActivities, type ActivityKind } from '../../events/activity/record.ts'
import { recordEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { cutForFeed } from '../issues/columns.ts'
import type { Issue } from '../issues/issue.ts'
import { touchIssue } from '../issues/load.ts'
import { findReferred, referTo } from '../issues/references.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { retryScheduled } from '../pulls/auto-merge.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { announcePull } from '../pulls/webhook-events.ts'
import type { CodeComment } from './code-comment.ts'
import { listCodeComments } from './comment-queries.ts'
import { deleteReviews, findOwnRequests, unofficialEarlier } from './queries.ts'
import { isDecision, type Review, type ReviewState } from './review.ts'

/** What comes of a review that has been handed in. */
export async function afterReview(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  review: Review,
): Promise<void> {
  const { account } = caller
  if (isDecision(review)) {
    const { id: exceptId } = review
    await unofficialEarlier(tx, { issueId: issue.id, reviewerId: account.id, exceptId })
  }
  await deleteReviews(tx, await findOwnRequests(tx, issue.id, account.id))
  await touchIssue(tx, issue.id, ctx.now())
  await record(ctx, tx, caller, view, issue, review)
  await announce(ctx, tx, account, issue, review)
  await retryScheduled(ctx, tx, { issueId: issue.id })
}

/** What comes of an answer to what a review that has been handed in says about a line. */
export async function afterReply(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  { madeId, body }: { readonly madeId: number; readonly body: string },
): Promise<void> {
  const { account } = caller
  await touchIssue(tx, issue.id, ctx.now())
  const entry = { ...saidOf(body), commentId: madeId }
  await recordEntries(ctx, tx, account.id, view, issue, [entry])
  await referFrom(ctx, tx, caller, view, issue, body)
  await notify(ctx, tx, { issueId: issue.id, actorId: account.id, commentId: madeId })
  await announce(ctx, tx, account, issue, { state: 'COMMENT', body })
}

async function announce(
  ctx: Context,
  tx: Executor,
  account: Account,
  issue: Issue,
  { state, body }: Pick<Review, 'state' | 'body'>,
): Promise<void> {
  const type = `pull_request_review_${wordOf(state)}` as const
  const review = { type, content: body }
  await announcePull(ctx, tx, account, issue, [
    { kind: 'pull_request_review', exactly: type, action: 'reviewed', review },
  ])
}

async function record(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  review: Review,
): Promise<void> {
  const actorId = caller.account.id
  const deed = { issueId: issue.id, actorId, at: ctx.now() }
  const commentId = await recordEvent(tx, deed, {
    kind: 'review',
    body: review.body,
    details: { reviewId: review.id },
  })
  const comments = await listCodeComments(tx, review.id)
  await recordEntries(ctx, tx, actorId, view, issue, [
    ...comments.map(({ id, body }) => ({ ...saidOf(body), commentId: id })),
    ...(isSilent(review, comments) ? [] : [{ ...activityOf(review), commentId }]),
  ])
  const said = [review.body, ...comments.map(({ body }) => body)]
  await referFrom(ctx, tx, caller, view, issue, said.join('\n\n'))
  await notify(ctx, tx, { issueId: issue.id, actorId, commentId })
}

/** What a review names tells of its pull request. */
export async function referFrom(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  text: string,
): Promise<void> {
  const deed = { actorId: caller.account.id, at: ctx.now() }
  await referTo(tx, deed, issue, await findReferred(ctx, caller, view, text, tx))
}

async function notify(ctx: Context, tx: Executor, news: Jobs['notify_of_issue']): Promise<void> {
  await ctx.jobs.enqueue(tx, 'notify_of_issue', news)
}

async function recordEntries(
  ctx: Context,
  tx: Executor,
  actorId: number,
  { repo }: RepositoryView,
  issue: Issue,
  entries: readonly (Entry & { readonly commentId: number })[],
): Promise<void> {
  await recordActivities(
    tx,
    entries.map(({ text, ...entry }) => ({
      ...entry,
      repositoryId: repo.id,
      accountId: actorId,
      content: `${issue.number}|${text}`,
      isPrivate: repo.isPrivate,
      issueId: issue.id,
      at: ctx.now(),
    })),
  )
}

/** A review that decides nothing may consist of what it says about lines alone. */
function isSilent({ state, body }: Review, comments: readonly CodeComment[]): boolean {
  return state === 'COMMENT' && body.trim() === '' && comments.length > 0
}

interface Entry {
  readonly kind: ActivityKind
  readonly text: string
}

function activityOf({ state, body }: Review): Entry {
  const [firstLine = ''] = body.split('\n')
  if (state === 'APPROVED') return { kind: 'approve_pull_request', text: firstLine }
  if (state === 'REQUEST_CHANGES') return { kind: 'reject_pull_request', text: firstLine }
  return saidOf(body)
}

function saidOf(body: string): Entry {
  return { kind: 'comment_pull', text: cutForFeed(body) }
}

function wordOf(state: ReviewState): string {
  if (state === 'APPROVED') return 'approved'
  return state === 'REQUEST_CHANGES' ? 'rejected' : 'comment'
}
