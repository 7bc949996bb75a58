import type { Context } from '../../platform/context.ts'
import { MIN_AGE_SECONDS, sweepFiles } from '../../platform/sweeps/files.ts'
import { ATTACHMENTS } from '../../platform/files/key.ts'
import { findKnownUuids } from './queries.ts'

/** A scheduled task: throws away files that a crash left without a record. */
export async function sweepAttachments(ctx: Context): Promise<void> {
  await ctx.files.tidy(ctx.now() - MIN_AGE_SECONDS)
  await sweepFiles(ctx, ATTACHMENTS, findKnownUuids)
}
