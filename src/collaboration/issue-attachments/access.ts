import { reaches } from '../../platform/access-level.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { forbidden, notFound, numberText } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import { readsIssue, writesIssue } from '../issues/rights.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { findCommentById, findIssueByNumber, type Attachable } from './queries.ts'

/** An issue or a pull request; of what the caller does not read there are no attachments either. */
export async function loadIssue(
  ctx: Context,
  view: RepositoryView,
  number: number,
): Promise<Attachable> {
  const { repo } = view
  if (number <= 0) throw notFound('issue does not exist [id: 0, repo_id: 0, index: 0]')
  const issue = await findIssueByNumber(ctx.db, repo.id, number)
  if (!issue || !readsIssue(view, issue)) {
    throw notFound(
      `issue does not exist [id: 0, repo_id: ${repo.id}, index: ${numberText(number)}]`,
    )
  }
  return issue
}

export async function loadComment(
  ctx: Context,
  view: RepositoryView,
  id: number,
): Promise<Attachable> {
  const comment = await findCommentById(ctx.db, id)
  if (!comment) throw notFound(`comment does not exist [id: ${numberText(id)}, issue_id: 0]`)
  if (comment.repositoryId !== view.repo.id) throw notFound('no matching issue comment found')
  if (!readsIssue(view, comment)) throw notFound()
  return comment
}

/** Who wrote the issue, and who writes issues. */
export function canAttachToIssue(
  view: RepositoryView,
  caller: SignedInCaller,
  issue: Pick<Attachable, 'authorId' | 'isPull'>,
): boolean {
  return issue.authorId === caller.account.id || administers(view) || writesIssue(view, issue)
}

export function assertWritesTo(
  view: RepositoryView,
  caller: SignedInCaller,
  issue: Attachable,
): void {
  if (canAttachToIssue(view, caller, issue)) return
  throw forbidden('user should have permission to write issue')
}

/** Who wrote the comment and writes issues too. */
export function canAttachToComment(
  view: RepositoryView,
  caller: SignedInCaller,
  comment: Pick<Attachable, 'authorId' | 'isPull'>,
): boolean {
  const isOwn = comment.authorId === caller.account.id || administers(view)
  return isOwn && writesIssue(view, comment)
}

export function assertEditsComment(
  view: RepositoryView,
  caller: SignedInCaller,
  comment: Attachable,
): void {
  if (canAttachToComment(view, caller, comment)) return
  throw forbidden('user should have permission to edit comment')
}

export async function assertMayAdd(
  ctx: Context,
  view: RepositoryView,
  { account }: SignedInCaller,
  { issueAuthorId }: Attachable,
): Promise<void> {
  if (administers(view)) return
  await assertNotBlocked(ctx.db, account.id, [view.owner.id, issueAuthorId ?? 0])
}

function administers({ access }: RepositoryView): boolean {
  return reaches(access.level, 'admin')
}
