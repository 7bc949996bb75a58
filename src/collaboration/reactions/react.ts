import { loadComment } from '../comments/load.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue, loadIssue } from '../issues/load.ts'
import { writesIssue } from '../issues/rights.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import {
  deleteReaction,
  findReaction,
  insertReaction,
  type Reaction,
  type Subject,
} from './queries.ts'

/** Where somebody reacts: to an issue or to one of its comments, whose author may not want it. */
export interface Target {
  readonly view: RepositoryView
  readonly issue: Issue
  readonly subject: Subject
  readonly authorId: number | undefined
}

export async function loadIssueTarget(
  ctx: Context,
  view: RepositoryView,
  number: number,
): Promise<Target> {
  const issue = await loadIssue(ctx, view, number)
  const subject = { issueId: issue.id, commentId: undefined }
  return { view, issue, subject, authorId: issue.authorId }
}

export async function loadCommentTarget(
  ctx: Context,
  view: RepositoryView,
  id: number,
): Promise<Target> {
  const { comment, issue } = await loadComment(ctx, view, id)
  const subject = { issueId: issue.id, commentId: comment.id }
  return { view, issue, subject, authorId: comment.authorId }
}

/** Who may react at all: what is locked is for those who write. */
export function canReact({ view, issue }: Pick<Target, 'view' | 'issue'>): boolean {
  return !issue.isLocked || writesIssue(view, issue)
}

/** Reacting twice is reacting once. */
export async function react(
  ctx: Context,
  caller: SignedInCaller,
  target: Target,
  content: string,
): Promise<{ readonly reaction: Reaction; readonly isNew: boolean }> {
  assertMayReact(target)
  if (!ctx.config.ui.reactions.includes(content)) {
    throw forbidden(`'${content}' is not an allowed reaction`)
  }
  const { account } = caller
  await assertNotBlocked(ctx.db, account.id, [target.view.owner.id, target.authorId])
  return changeIssue(ctx, target.issue, async (tx) => {
    const row = { account_id: account.id, content, created_at: ctx.now() }
    const isNew = await insertReaction(tx, target.subject, row)
    const reaction = await findReaction(tx, target.subject, account.id, content)
    if (!reaction) throw notFound()
    return { reaction, isNew }
  })
}

export async function takeBack(
  ctx: Context,
  caller: SignedInCaller,
  target: Target,
  content: string,
): Promise<void> {
  assertMayReact(target)
  await changeIssue(ctx, target.issue, (tx) =>
    deleteReaction(tx, target.subject, caller.account.id, content),
  )
}

function assertMayReact(target: Target): void {
  if (!canReact(target)) throw forbidden('no permission to change reaction')
}
