import type { Context, SignedInCaller } from '../context.ts'
import { isMissingParent, type Executor } from '../db/database.ts'
import { notFound } from '../errors.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { announceAttachment } from '../webhooks/attachment-events.ts'
import type { Attachment } from './attachment.ts'
import { insertAttachment } from './queries.ts'
import { assertWithinQuota } from './quota.ts'
import { discardFile, type ReceivedFile } from './receive.ts'

/** What a new attachment hangs on. */
export interface AttachedTo {
  readonly view: RepositoryView
  readonly issueId?: number
  readonly commentId?: number
  readonly releaseId?: number
  /** Bytes of it that count for the quota already. */
  readonly countedBytes?: number
}

/**
 * The record of bytes that are stored, with `touch` in the same transaction for what it hangs on; should it fail,
 * the bytes go too.
 */
export async function createAttachment(
  ctx: Context,
  caller: SignedInCaller,
  to: AttachedTo,
  file: ReceivedFile,
  touch: (tx: Executor, attachment: Attachment) => Promise<void>,
): Promise<Attachment> {
  try {
    const made = await ctx.groupedWrites.run(async (tx) => {
      await assertWithinQuota(ctx, tx, to.view.repo, file.size - (to.countedBytes ?? 0))
      const attachment = await insertAttachment(tx, toRow(ctx, caller, to, file))
      await touch(tx, attachment)
      await announceAttachment(ctx, tx, caller.account, attachment, 'added')
      return attachment
    })
    ctx.jobs.wake()
    return made
  } catch (error) {
    await discardFile(ctx, file)
    // What it was to hang on has been deleted while the bytes arrived.
    throw isMissingParent(error) ? notFound() : error
  }
}

function toRow(ctx: Context, caller: SignedInCaller, to: AttachedTo, file: ReceivedFile) {
  return {
    uuid: file.uuid,
    repository_id: to.view.repo.id,
    issue_id: to.issueId ?? null,
    comment_id: to.commentId ?? null,
    release_id: to.releaseId ?? null,
    uploader_id: caller.account.id,
    name: file.name,
    size: file.size,
    sha256: file.sha256,
    media_type: file.mediaType,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
}
