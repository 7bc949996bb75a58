import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound, numberText, type AppError } from '../../platform/errors.ts'
import type { Attachment } from './attachment.ts'
import {
  findAttachment,
  findAttachmentByUuid,
  findAttachmentsOf,
  findDirectAttachments,
  findReleaseFile,
} from './queries.ts'

type ByParent = ReadonlyMap<number, readonly Attachment[]>

/** For a page of issues; those of comments are not among them. Issues without any have no entry. */
export async function attachmentsOfIssues(
  db: Executor,
  issueIds: readonly number[],
): Promise<ByParent> {
  const found = await findDirectAttachments(db, issueIds)
  return Map.groupBy(found, ({ issueId }) => issueId ?? 0)
}

export async function attachmentsOfComments(
  db: Executor,
  commentIds: readonly number[],
): Promise<ByParent> {
  const found = await findAttachmentsOf(db, 'comment_id', commentIds)
  return Map.groupBy(found, ({ commentId }) => commentId ?? 0)
}

/** In the order of names, byte by byte. */
export async function attachmentsOfReleases(
  db: Executor,
  releaseIds: readonly number[],
): Promise<ByParent> {
  const found = await findAttachmentsOf(db, 'release_id', releaseIds)
  const sorted = found.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  return Map.groupBy(sorted, ({ releaseId }) => releaseId ?? 0)
}

/** With the downloads until now. */
export async function loadAttachment(ctx: Context, id: number): Promise<Attachment> {
  await ctx.downloadCounts.flush()
  const attachment = await findAttachment(ctx.db, id)
  if (!attachment) throw absent(id)
  return attachment
}

export function absent(id: number): AppError {
  return notFound(`attachment does not exist [id: ${numberText(id)}, uuid: ]`)
}

export async function findByUuid(ctx: Context, uuid: string): Promise<Attachment | undefined> {
  return findAttachmentByUuid(ctx.db, uuid)
}

export async function findOfRelease(
  ctx: Context,
  releaseId: number,
  name: string,
): Promise<Attachment | undefined> {
  return findReleaseFile(ctx.db, releaseId, name)
}
