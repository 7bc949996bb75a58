import type { Context, SignedInCaller } from '../context.ts'
import { AppError, forbidden, notFound } from '../errors.ts'
import type { Issue } from '../issues/issue.ts'
import { loadIssueById } from '../issues/load.ts'
import { isAuthor, writesIssue } from '../issues/rights.ts'
import { loadComment } from '../comments/load.ts'
import type { FoundPull } from '../pulls/load.ts'
import type { RepositoryView } from '../repositories/view.ts'
import type { CodeComment } from './code-comment.ts'
import { findCodeComment, listCodeComments, setResolver } from './comment-queries.ts'
import { loadReview } from './load.ts'
import { addReview } from './submit.ts'

/** A comment on code; what is a comment of another kind cannot be settled. */
async function loadCodeComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  id: number,
): Promise<{ readonly comment: CodeComment; readonly issue: Issue }> {
  const comment = await findCodeComment(ctx.db, id)
  if (!comment) {
    await loadComment(ctx, view, id)
    throw new AppError('bad_request', 'comment is not a code comment')
  }
  const issue = await loadIssueById(ctx, view, comment.issueId)
  await loadReview(ctx, caller, issue, comment.reviewId)
  return { comment, issue }
}

/** The author of the pull request settles it, and those who write. */
export async function setResolved(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  id: number,
  isResolved: boolean,
): Promise<void> {
  const { comment, issue } = await loadCodeComment(ctx, caller, view, id)
  if (!isAuthor(caller, issue) && !writesIssue(view, issue)) {
    throw forbidden('user has no permission to resolve the comment')
  }
  await setResolver(ctx.db, comment.id, isResolved ? caller.account.id : null)
}

/** An answer is a review of its own, on the same line. */
export async function replyTo(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  found: FoundPull,
  { id, body }: { readonly id: number; readonly body: string },
): Promise<CodeComment> {
  const { comment, issue } = await loadCodeComment(ctx, caller, view, id)
  if (issue.id !== found.issue.id) throw notFound()
  const { path, oldLine, newLine, commitId } = comment
  const review = await addReview(ctx, caller, view, found, {
    event: 'COMMENT',
    body: '',
    commitId,
    comments: [{ path, oldLine, newLine, body }],
  })
  const made = (await listCodeComments(ctx.db, review.id)).at(-1)
  if (!made) throw new Error(`review ${review.id} has no comment`)
  return made
}
