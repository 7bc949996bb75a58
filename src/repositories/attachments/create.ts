import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { assertWithinQuota, holdQuota } from '../repository/quota.ts'
import { holdTracker } from '../repository/tracker.ts'
import type { RepositoryView } from '../repository/view.ts'
import { announceAttachment } from './webhook-events.ts'
import type { Attachment } from './attachment.ts'
import { insertAttachment } from './queries.ts'
import { discardFile, type ReceivedFile } from '../../platform/files/receive.ts'

/** What a new attachment hangs on. */
export interface AttachedTo {
  readonly view: RepositoryView
  readonly issueId?: number
  readonly commentId?: number
  readonly releaseId?: number
  /**
   * Takes away what it comes in place of, in the same transaction: that counts for the quota no
   * longer.
   */
  readonly makeRoom?: (tx: Executor) => Promise<void>
}

/**
 * The record of bytes that are stored, with `touch` in the same transaction for what it hangs on;
 * should it fail, the bytes go too.
 */
export async function createAttachment(
  ctx: Context,
  caller: SignedInCaller,
  to: AttachedTo,
  file: ReceivedFile,
  touch?: (tx: Executor) => Promise<void>,
): Promise<Attachment> {
  try {
    const made = await ctx.groupedWrites.run((tx) =>
      recordAttachment(ctx, tx, caller, to, { file, touch }),
    )
    ctx.jobs.wake()
    return made
  } catch (error) {
    if (!mayHaveCommitted(error)) await discardFile(ctx, file)
    throw error
  }
}

/** In the caller's transaction; the bytes stay whatever comes of it. */
export async function recordAttachment(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  to: AttachedTo,
  { file, touch }: { file: ReceivedFile; touch?: ((tx: Executor) => Promise<void>) | undefined },
): Promise<Attachment> {
  // Before the quota, as where a whole issue is made: nobody deletes meanwhile what it hangs on.
  if (to.issueId !== undefined) await holdTracker(ctx, tx, to.view.repo.id)
  await holdQuota(ctx, tx, to.view.repo)
  await to.makeRoom?.(tx)
  await assertWithinQuota(ctx, tx, to.view.repo, file.size)
  const attachment = await insertAttachment(tx, toRow(ctx, caller, to, file))
  await touch?.(tx)
  await announceAttachment(ctx, tx, caller.account, attachment, 'added')
  return attachment
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
