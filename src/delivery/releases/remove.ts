import { dropAttachments } from '../../repositories/attachments/drop.ts'
import type { Context } from '../../platform/context.ts'
import type { Guard } from '../../platform/db/guard.ts'
import { lock } from '../../platform/db/lock.ts'
import { notFound } from '../../platform/errors.ts'
import { dropUploadsOf } from '../resumable-uploads/operations.ts'
import { findRelease, recountReleases, updateRelease } from './queries.ts'
import type { Release } from './release.ts'
import type { Account } from '../../identity/users/account.ts'
import { announceRelease } from './webhook-events.ts'

/**
 * The record and its files go; the tag stays, and with it the number, should there be a release
 * again.
 */
export async function removeRelease(
  ctx: Context,
  actor: Account,
  release: Release,
  guard?: Guard<Release>,
): Promise<void> {
  const { id, repositoryId } = release
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'releases', repositoryId)
    const current = await findRelease(tx, repositoryId, id)
    if (!current || current.isTag) throw notFound()
    await guard?.(tx, current)
    await announceRelease(ctx, tx, actor, release, 'deleted')
    await dropAttachments(ctx, tx, { releaseIds: [id] })
    await dropUploadsOf(ctx, tx, release)
    const changes = { is_tag: 1, is_draft: 0, title: '', note: '', published_at: 0 } as const
    await updateRelease(tx, id, { ...changes, updated_at: ctx.now() })
    await recountReleases(tx, repositoryId)
  })
  ctx.jobs.wake()
}
