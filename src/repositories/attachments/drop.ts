import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { partsOf } from '../../platform/db/parts.ts'
import { keyOf } from '../../platform/files/key.ts'
import { deleteAttachmentsOf } from './queries.ts'

export type AttachmentsOf =
  | { readonly repositoryIds: readonly number[] }
  | { readonly issueIds: readonly number[] }
  | { readonly commentIds: readonly number[] }
  | { readonly releaseIds: readonly number[] }
  | { readonly ids: readonly number[] }

const FILES_IN_A_JOB = 500

/**
 * Takes the records away in the caller's transaction; the files follow by jobs, so wake the queue
 * after the commit. Of issues, those of their comments too. False when there was none.
 */
export async function dropAttachments(
  ctx: Context,
  tx: Executor,
  of: AttachmentsOf,
): Promise<boolean> {
  const uuids = await deleteRecords(tx, of)
  await dropFiles(ctx, tx, uuids.map(keyOf))
  return uuids.length > 0
}

/**
 * Has files removed whose records go in this transaction: by jobs, so wake the queue after the
 * commit.
 */
export async function dropFiles(
  ctx: Context,
  tx: Executor,
  keys: readonly string[],
): Promise<void> {
  for (const some of partsOf(keys, FILES_IN_A_JOB)) {
    await ctx.jobs.enqueue(tx, 'remove_files', { keys: some })
  }
}

function deleteRecords(tx: Executor, of: AttachmentsOf): Promise<readonly string[]> {
  if ('repositoryIds' in of) return deleteAttachmentsOf(tx, 'repository_id', of.repositoryIds)
  if ('issueIds' in of) return deleteAttachmentsOf(tx, 'issue_id', of.issueIds)
  if ('commentIds' in of) return deleteAttachmentsOf(tx, 'comment_id', of.commentIds)
  if ('releaseIds' in of) return deleteAttachmentsOf(tx, 'release_id', of.releaseIds)
  return deleteAttachmentsOf(tx, 'id', of.ids)
}

/** The job: doing it twice does no harm. */
export async function removeFiles(ctx: Context, keys: readonly string[]): Promise<void> {
  for (const key of keys) await ctx.files.remove(key)
}
