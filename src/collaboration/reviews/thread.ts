import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue, loadIssueById } from '../issues/load.ts'
import { isAuthor, writesIssue } from '../issues/rights.ts'
import { loadComment } from '../comments/load.ts'
import type { FoundPull } from '../pulls/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { CodeComment } from './code-comment.ts'
import { findCodeComment, insertCodeComments, setResolver } from './comment-queries.ts'
import { assertMayReview, loadReview } from './load.ts'
import type { Review } from './review.ts'
import { afterReply } from './after-review.ts'

/** A comment on code; what is a comment of another kind cannot be settled. */
export async function loadCodeComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  id: number,
): Promise<{ readonly comment: CodeComment; readonly issue: Issue; readonly review: Review }> {
  const comment = await findCodeComment(ctx.db, id)
  if (!comment) {
    await loadComment(ctx, view, id)
    throw new AppError('bad_request', 'comment is not a code comment')
  }
  const issue = await loadIssueById(ctx, view, comment.issueId)
  const review = await loadReview(ctx, caller, issue, comment.reviewId)
  return { comment, issue, review }
}

/** The author of the pull request settles what was said of a line, and those who write. */
export function canResolve(caller: SignedInCaller, view: RepositoryView, issue: Issue): boolean {
  return isAuthor(caller, issue) || writesIssue(view, issue)
}

export async function setResolved(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  id: number,
  isResolved: boolean,
): Promise<void> {
  const { comment, issue } = await loadCodeComment(ctx, caller, view, id)
  if (!canResolve(caller, view, issue)) {
    throw forbidden('user has no permission to resolve the comment')
  }
  await setResolver(ctx.db, comment.id, isResolved ? caller.account.id : null)
}

/** An answer stands in the same review, on the same line. */
export async function replyTo(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { issue }: FoundPull,
  { id, body }: { readonly id: number; readonly body: string },
): Promise<CodeComment> {
  const { comment, review } = await loadCodeComment(ctx, caller, view, id)
  if (review.issueId !== issue.id) throw notFound()
  await assertMayReview(ctx, caller, view, issue)
  const { reviewId, commitId, path, oldLine, newLine, diffHunk, place } = comment
  const about = { issueId: issue.id, reviewId, authorId: caller.account.id, commitId }
  const made = await changeIssue(ctx, issue, async (tx) => {
    const line = { path, oldLine, newLine, diffHunk, place, body }
    const [madeId = 0] = await insertCodeComments(tx, { ...about, now: ctx.now() }, [line])
    if (review.state !== 'PENDING') await afterReply(ctx, tx, caller, view, issue, { madeId, body })
    return findCodeComment(tx, madeId)
  })
  if (!made) throw new Error(`the answer to comment ${id} is not there`)
  ctx.jobs.wake()
  return made
}
