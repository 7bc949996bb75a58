import { recordActivity } from '../../events/activity/record.ts'
import { dropAttachments } from '../../repositories/attachments/drop.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Guard } from '../../platform/db/guard.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import { cutForFeed } from '../issues/columns.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue, countComment } from '../issues/load.ts'
import { findMentioned, recordMentions } from '../issues/mentions.ts'
import { findReferred, referTo } from '../issues/references.ts'
import { assertEdits, writesIssue } from '../issues/rights.ts'
import { reaches } from '../../platform/access-level.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { announceComment } from './webhook-events.ts'
import type { Comment } from './comment.ts'
import { deleteComment, findComment, insertComment, updateComment } from './queries.ts'

export async function addComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  body: string,
  /** Makes what hangs on it, in the same transaction. */
  complete?: (tx: Executor, comment: Comment) => Promise<void>,
): Promise<Comment> {
  if (issue.isLocked && !writesIssue(view, issue)) {
    throw forbidden('You cannot comment on a locked issue.')
  }
  await assertWelcome(ctx, caller, view, issue)
  const mentioned = await findMentioned(ctx.db, body)
  const referred = await findReferred(ctx, caller, view, body)
  const comment = await changeIssue(ctx, issue, async (tx) => {
    const at = ctx.now()
    const made = await insertComment(tx, {
      issue_id: issue.id,
      repository_id: issue.repositoryId,
      author_id: caller.account.id,
      body,
      lower_text: body.toLowerCase(),
      created_at: at,
      updated_at: at,
    })
    await complete?.(tx, made)
    await countComment(tx, issue.id, 1, at)
    await recordMentions(tx, issue.id, mentioned)
    await referTo(tx, { actorId: caller.account.id, at }, issue, referred, made.id)
    await tell(ctx, tx, caller, view, issue, made)
    return made
  })
  ctx.jobs.wake()
  return comment
}

/** Who administers the repository may answer also those who blocked them. */
async function assertWelcome(
  ctx: Context,
  { account }: SignedInCaller,
  { owner, access }: RepositoryView,
  { authorId }: Issue,
): Promise<void> {
  if (reaches(access.level, 'admin')) return
  await assertNotBlocked(ctx.db, account.id, [owner.id, authorId])
}

async function tell(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  { repo }: RepositoryView,
  issue: Issue,
  comment: Comment,
): Promise<void> {
  await recordActivity(tx, {
    repositoryId: repo.id,
    accountId: account.id,
    kind: issue.isPull ? 'comment_pull' : 'comment_issue',
    content: `${issue.number}|${cutForFeed(comment.body)}`,
    isPrivate: repo.isPrivate,
    issueId: issue.id,
    commentId: comment.id,
    at: comment.createdAt,
  })
  await announceComment(ctx, tx, account, issue, comment, { action: 'created' })
  await ctx.jobs.enqueue(tx, 'notify_of_issue', {
    issueId: issue.id,
    actorId: account.id,
    commentId: comment.id,
  })
}

/** An event has no text to change: nothing happens, and nothing is given back. */
export async function editComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { comment, issue }: { comment: Comment; issue: Issue },
  body: string,
  guard?: Guard<Comment>,
): Promise<Comment | undefined> {
  assertEdits(view, caller, issue, comment)
  if (comment.kind !== 'comment') return undefined
  await assertWelcome(ctx, caller, view, issue)
  const mentioned = await findMentioned(ctx.db, body)
  const referred = await findReferred(ctx, caller, view, body)
  const edited = await changeIssue(ctx, issue, async (tx) => {
    await guard?.(tx, await findCurrent(tx, comment))
    const changes = { body, lower_text: body.toLowerCase(), updated_at: ctx.now() }
    const saved = await updateComment(tx, comment.id, changes)
    if (!saved) throw notFound()
    await recordMentions(tx, issue.id, mentioned)
    const deed = { actorId: caller.account.id, at: ctx.now() }
    await referTo(tx, deed, issue, referred, comment.id)
    const news = { action: 'edited', from: comment.body } as const
    if (body !== comment.body) {
      await announceComment(ctx, tx, caller.account, issue, saved, news)
    }
    return saved
  })
  ctx.jobs.wake()
  return edited
}

export async function removeComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { comment, issue }: { comment: Comment; issue: Issue },
  guard?: Guard<Comment>,
): Promise<void> {
  assertEdits(view, caller, issue, comment)
  if (comment.kind !== 'comment') throw new AppError('bad_request', '', { empty: true })
  await changeIssue(ctx, issue, async (tx) => {
    const current = await findCurrent(tx, comment)
    await guard?.(tx, current)
    const news = { action: 'deleted' } as const
    await announceComment(ctx, tx, caller.account, issue, current, news)
    await dropAttachments(ctx, tx, { commentIds: [current.id] })
    await deleteComment(tx, current.id)
    await countComment(tx, issue.id, -1, ctx.now())
  })
  ctx.jobs.wake()
}

async function findCurrent(tx: Executor, { id }: Comment): Promise<Comment> {
  const current = await findComment(tx, id)
  if (!current) throw notFound()
  return current
}
