import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { invalid, invalidField, notFound } from '../../platform/errors.ts'
import { findHunk } from '../../platform/git/hunk.ts'
import { isFullId } from '../../platform/git/revisions.ts'
import { changeIssue } from '../issues/load.ts'
import { comparedBy } from '../pulls/content.ts'
import { loadPull, pullOf, type FoundPull } from '../pulls/load.ts'
import type { Pull } from '../pulls/pull.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { NewCodeComment } from './code-comment.ts'
import { insertCodeComments, type Commented } from './comment-queries.ts'
import { assertMayReview } from './load.ts'
import { isOfficialReviewer } from './official.ts'
import { placesOfNew } from './places.ts'
import { findPending, findReview, insertReviews, updateReview } from './queries.ts'
import { isDecision, type Review, type ReviewState } from './review.ts'
import { afterReview } from './after-review.ts'

export interface NewReview {
  readonly event: string
  readonly body: string
  /** Empty for the head. */
  readonly commitId: string
  readonly comments: readonly NewCodeComment[]
}

/** More than anybody says at once; a statement takes only so many parameters. */
const MAX_COMMENTS = 500

/** What somebody has begun goes on in the same review, until it is handed in. */
export async function addReview(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  found: FoundPull,
  wanted: NewReview,
): Promise<Review> {
  assertBegun(readEvent(wanted.event), wanted)
  return putReview(ctx, caller, view, found, wanted)
}

/** Something to be said of a line when the review is handed in; the first one begins it. */
export async function addPendingComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  found: FoundPull,
  comment: NewCodeComment,
): Promise<void> {
  const wanted = { event: 'PENDING', body: '', commitId: '', comments: [comment] }
  await putReview(ctx, caller, view, found, wanted)
}

async function putReview(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  found: FoundPull,
  wanted: NewReview,
): Promise<Review> {
  const { issue, pull } = found
  const state = readEvent(wanted.event)
  assertFits(caller, found, state, { ...wanted, hasComments: wanted.comments.length > 0 })
  await assertMayReview(ctx, caller, view, issue)
  const comments = await locate(ctx, view.repo, pull, wanted.comments)
  const commitId = isFullId(wanted.commitId) ? wanted.commitId : pull.headCommitId
  const isOfficial = await isOfficialReviewer(ctx, view, pull.baseBranch, caller.account)
  const review = await changeIssue(ctx, issue, async (tx) => {
    if (await hasMoved(tx, pull)) return undefined
    const begun = await begin(ctx, tx, caller, issue.id, commitId)
    const place = { issueId: issue.id, reviewId: begun.id, authorId: caller.account.id, commitId }
    await insertCodeComments(tx, { ...place, now: ctx.now() }, comments)
    const isStale = commitId !== pull.headCommitId
    const { body } = wanted
    const written = await write(ctx, tx, begun, { body, state, isOfficial, isStale })
    if (state !== 'PENDING') await afterReview(ctx, tx, caller, view, issue, written)
    return written
  })
  if (!review) {
    return putReview(ctx, caller, view, await loadPull(ctx, view, issue.number), wanted)
  }
  ctx.jobs.wake()
  return review
}

/** Whether its head or its base is another by now: what was looked up is about the one before. */
async function hasMoved(tx: Executor, before: Pull): Promise<boolean> {
  const now = await pullOf(tx, { id: before.issueId })
  return now.headCommitId !== before.headCommitId || now.baseBranch !== before.baseBranch
}

/**
 * Hands in what the caller has begun, about the commits it was begun with unless others are named.
 */
export async function submitReview(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  found: FoundPull,
  review: Review,
  {
    event,
    body,
    commitId = '',
  }: Pick<NewReview, 'event' | 'body'> & Partial<Pick<NewReview, 'commitId'>>,
): Promise<Review> {
  const { issue, pull } = found
  if (review.state !== 'PENDING') throw invalid('only a pending review can be submitted')
  if (review.reviewerId !== caller.account.id) throw notFound()
  const state = readEvent(event)
  if (state === 'PENDING') throw invalid('review stay pending')
  assertFits(caller, found, state, { body, hasComments: true })
  await assertMayReview(ctx, caller, view, issue)
  const isOfficial = await isOfficialReviewer(ctx, view, pull.baseBranch, caller.account)
  const submitted = await changeIssue(ctx, issue, async (tx) => {
    const current = await findReview(tx, issue.id, review.id)
    if (current?.state !== 'PENDING') throw invalid('only a pending review can be submitted')
    const seen = isFullId(commitId) ? commitId : current.commitId
    const now = await pullOf(tx, issue)
    // Whose word counts was looked up for the base of before.
    const isRetargeted = now.baseBranch !== pull.baseBranch
    const isStale = seen !== now.headCommitId || isRetargeted
    const counts = isOfficial && !isRetargeted
    const result = { body, state, isOfficial: counts, isStale, commitId: seen }
    const written = await write(ctx, tx, current, result)
    await afterReview(ctx, tx, caller, view, issue, written)
    return written
  })
  ctx.jobs.wake()
  return submitted
}

function readEvent(event: string): ReviewState {
  const known = ['APPROVED', 'REQUEST_CHANGES', 'COMMENT'] as const
  return known.find((state) => state === event) ?? 'PENDING'
}

/** What waits is found again by its text. */
function assertBegun(state: ReviewState, { event, body }: Pick<NewReview, 'event' | 'body'>): void {
  if (state === 'PENDING' && body.trim() === '') {
    throw invalid(`review event ${event} requires a body`)
  }
}

/** Nobody decides about their own work or about what is over, and who refuses says why. */
function assertFits(
  { account }: SignedInCaller,
  { issue }: FoundPull,
  state: ReviewState,
  { body, hasComments }: { readonly body: string; readonly hasComments: boolean },
): void {
  const isOwn = issue.authorId === account.id
  if (isOwn && state === 'APPROVED') throw invalid('approve your own pull is not allowed')
  if (isOwn && state === 'REQUEST_CHANGES') throw invalid('reject your own pull is not allowed')
  const hasBody = body.trim() !== ''
  if (state === 'REQUEST_CHANGES' && !hasBody) {
    throw invalid(`review event ${state} requires a body`)
  }
  if (state === 'COMMENT' && !hasBody && !hasComments) {
    throw invalid(`review event ${state} requires a body or a comment`)
  }
  if (issue.isClosed && isDecision({ state })) {
    throw invalid("can't submit review for a closed or merged PR")
  }
}

/** With the few lines around that each is about. */
async function locate(
  ctx: Context,
  repo: Repository,
  pull: Pull,
  comments: readonly NewCodeComment[],
): Promise<readonly Commented[]> {
  if (comments.length > MAX_COMMENTS) throw invalid(`more than ${MAX_COMMENTS} comments`)
  if (comments.some(({ path }) => path === '' || path.includes('\0'))) {
    throw invalidField('Path', 'Required')
  }
  const compared = comparedBy(pull)
  const places = await placesOfNew(ctx, repo, pull, comments)
  const located: Commented[] = []
  for (const [index, comment] of comments.entries()) {
    const place = places[index]
    const { path, oldLine, newLine } = comment
    const line =
      oldLine > 0
        ? { side: 'old' as const, number: oldLine }
        : { side: 'new' as const, number: newLine }
    const paths = [...new Set([path, place?.path ?? path])]
    const diffHunk = await findHunk(ctx.git, folderOf(ctx, repo), compared, paths, line)
    located.push({ ...comment, newLine: oldLine > 0 ? 0 : newLine, diffHunk, place })
  }
  return located
}

async function begin(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  issueId: number,
  commitId: string,
): Promise<Review> {
  const pending = await findPending(tx, issueId, account.id)
  if (pending) return pending
  const [made] = await insertReviews(tx, [
    {
      issue_id: issueId,
      reviewer_id: account.id,
      state: 'PENDING',
      commit_id: commitId,
      created_at: ctx.now(),
      updated_at: ctx.now(),
    },
  ])
  if (!made) throw new Error('a review was not inserted')
  return made
}

interface Written {
  readonly body: string
  readonly state: ReviewState
  readonly isOfficial: boolean
  readonly isStale: boolean
  /** Absent: as it was begun. */
  readonly commitId?: string
}

async function write(
  ctx: Context,
  tx: Executor,
  { id, body: before }: Review,
  { body, state, isOfficial, isStale, commitId }: Written,
): Promise<Review> {
  const now = ctx.now()
  const decides = state === 'APPROVED' || state === 'REQUEST_CHANGES'
  const written = await updateReview(tx, id, {
    state,
    body: body || before,
    is_official: decides && isOfficial ? 1 : 0,
    is_stale: isStale ? 1 : 0,
    commit_id: commitId,
    created_at: state === 'PENDING' ? undefined : now,
    updated_at: now,
  })
  if (!written) throw notFound()
  return written
}
