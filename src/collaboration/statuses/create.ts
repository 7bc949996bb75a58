import type { Context, SignedInCaller } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { retryScheduled } from '../pulls/auto-merge.ts'
import { announceStatus, prepareStatus } from './webhook-events.ts'
import { insertStatus, toStatus, type CommitKey } from './queries.ts'
import type { CommitStatus } from './status.ts'

export interface NewStatus {
  readonly state: string
  readonly context: string
  readonly targetUrl: string
  readonly description: string
}

/**
 * Statuses are never changed: a later one of the same context takes the place of those before it.
 */
export async function createStatus(
  ctx: Context,
  { account }: SignedInCaller,
  { repositoryId, commitId }: CommitKey,
  { state, context, targetUrl, description }: NewStatus,
): Promise<CommitStatus> {
  const now = ctx.now()
  const commit = await prepareStatus(ctx, repositoryId, commitId)
  const row = await ctx.db.transaction().execute(async (tx) => {
    // The number is read and given in one statement, but PostgreSQL runs several of them at once.
    await lock(ctx.db.dialect, tx, 'commit_statuses', repositoryId)
    await retryScheduled(ctx, tx, { repositoryId, commitId })
    const inserted = await insertStatus(tx, {
      repository_id: repositoryId,
      commit_id: commitId,
      state,
      context,
      target_url: targetUrl,
      description,
      creator_id: account.id,
      created_at: now,
      updated_at: now,
    })
    await announceStatus(ctx, tx, account, inserted, commit)
    return inserted
  })
  ctx.jobs.wake()
  return toStatus(row, account)
}
