import type { Context, SignedInCaller } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue } from '../issues/load.ts'
import { assertEdits } from '../issues/rights.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { CodeComment } from './code-comment.ts'
import { deleteCodeComment, listCodeComments, updateCodeComment } from './comment-queries.ts'
import { deleteReviews } from './queries.ts'
import { isDecision, type Review } from './review.ts'
import { referFrom } from './after-review.ts'
import { loadCodeComment } from './thread.ts'

interface Found {
  readonly comment: CodeComment
  readonly review: Review
}

/** What somebody said of a line, for its author and for those who write. */
export async function loadOwnCodeComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  id: number,
): Promise<Found> {
  const found = await loadCodeComment(ctx, caller, view, id)
  if (found.issue.id !== issue.id) throw notFound()
  assertEdits(view, caller, issue, found.comment)
  return found
}

export async function editCodeComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  { id, body }: { readonly id: number; readonly body: string },
): Promise<void> {
  const { review } = await loadOwnCodeComment(ctx, caller, view, issue, id)
  await assertNotBlocked(ctx.db, caller.account.id, [view.owner.id, issue.authorId])
  await changeIssue(ctx, issue, async (tx) => {
    if (!(await updateCodeComment(tx, id, { body, now: ctx.now() }))) throw notFound()
    if (review.state !== 'PENDING') await referFrom(ctx, tx, caller, view, issue, body)
  })
}

/** A review that says nothing any more goes with its last comment. */
export async function removeCodeComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  id: number,
): Promise<void> {
  const { review } = await loadOwnCodeComment(ctx, caller, view, issue, id)
  await changeIssue(ctx, issue, async (tx) => {
    if (!(await deleteCodeComment(tx, id))) throw notFound()
    const left = await listCodeComments(tx, review.id)
    const isSilent = left.length === 0 && review.body === '' && !isDecision(review)
    if (isSilent) await deleteReviews(tx, [review.id])
  })
}
