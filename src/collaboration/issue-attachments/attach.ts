import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { createAttachment } from '../../repositories/attachments/create.ts'
import {
  attachmentsOfComments,
  attachmentsOfIssues,
  loadAttachment,
} from '../../repositories/attachments/load.ts'
import type { ReceivedFile } from '../../platform/files/receive.ts'
import { commentById } from '../comments/load.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { raiseContentVersion } from '../issues/load.ts'
import { announceComment } from '../comments/webhook-events.ts'
import { announceIssue, touched } from '../issues/webhook-events.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { touchComment, type Attachable } from './queries.ts'

export async function listOfIssue(
  ctx: Context,
  { issueId }: Attachable,
): Promise<readonly Attachment[]> {
  await ctx.downloadCounts.flush()
  return (await attachmentsOfIssues(ctx.db, [issueId])).get(issueId) ?? []
}

export async function listOfComment(ctx: Context, id: number): Promise<readonly Attachment[]> {
  await ctx.downloadCounts.flush()
  return (await attachmentsOfComments(ctx.db, [id])).get(id) ?? []
}

/** An attachment of the issue or of one of its comments. */
export async function loadOfIssue(
  ctx: Context,
  view: RepositoryView,
  { issueId }: Attachable,
  id: number,
): Promise<Attachment> {
  const attachment = await loadInRepository(ctx, view, id)
  if (attachment.issueId !== issueId) throw notFound('no such attachment in issue')
  return attachment
}

export async function loadOfComment(
  ctx: Context,
  view: RepositoryView,
  commentId: number,
  id: number,
): Promise<Attachment> {
  const attachment = await loadInRepository(ctx, view, id)
  if (attachment.commentId !== commentId) throw notFound('no such attachment in comment')
  return attachment
}

async function loadInRepository(
  ctx: Context,
  { repo }: RepositoryView,
  id: number,
): Promise<Attachment> {
  const attachment = await loadAttachment(ctx, id)
  if (attachment.repositoryId !== repo.id) throw notFound('no such attachment in repo')
  return attachment
}

/** Counts as an edit of the issue. */
export async function attachToIssue(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { issueId, repositoryId, isPull }: Attachable,
  file: ReceivedFile,
): Promise<Attachment> {
  return createAttachment(ctx, caller, { view, issueId }, file, async (tx) => {
    await raiseContentVersion(tx, issueId, ctx.now())
    const issue = { id: issueId, repositoryId, isPull }
    await announceIssue(ctx, tx, caller.account, issue, [touched])
  })
}

/** Counts as an edit of the comment. */
export async function attachToComment(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { commentId, ...issue }: Attachable & { readonly commentId: number },
  file: ReceivedFile,
): Promise<Attachment> {
  const { issueId } = issue
  return createAttachment(ctx, caller, { view, issueId, commentId }, file, async (tx) => {
    await touchComment(tx, commentId, ctx.now())
    const comment = await commentById(tx, commentId)
    if (!comment) throw notFound()
    const news = { action: 'edited' } as const
    await announceComment(ctx, tx, caller.account, issue, comment, news)
  })
}
