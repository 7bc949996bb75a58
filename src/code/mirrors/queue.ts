import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { markDue, markOneQueued } from './lease-queries.ts'
import { findPushMirrorIds } from './push-queries.ts'

const BATCH = 500

/**
 * Asks for a synchronisation as soon as there is somebody to do it; one that waits already is
 * enough.
 */
export async function queueSync(ctx: Context, repo: Repository): Promise<void> {
  if (!repo.isMirror) throw new AppError('bad_request', 'Repository is not a mirror')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await markOneQueued(tx, 'mirror', repo.id))) return
    await ctx.jobs.enqueue(tx, 'sync_mirror', { repositoryId: repo.id })
  })
  ctx.jobs.wake()
}

/** Like `queueSync`, for all remotes that a repository is pushed to. */
export async function queuePushes(ctx: Context, repo: Repository): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    for (const id of await findPushMirrorIds(tx, repo.id)) {
      if (await markOneQueued(tx, 'push_mirror', id))
        await ctx.jobs.enqueue(tx, 'sync_push_mirror', { id })
    }
  })
  ctx.jobs.wake()
}

/** A scheduled task: whatever is due gets its job. */
export async function updateMirrors(ctx: Context): Promise<void> {
  await inBatches(() =>
    ctx.db.transaction().execute(async (tx) => {
      const ids = await markDue(tx, 'mirror', ctx.now(), BATCH)
      const payloads = ids.map((repositoryId) => ({ repositoryId }))
      await ctx.jobs.enqueueAll(tx, 'sync_mirror', payloads)
      return ids.length
    }),
  )
  await inBatches(() =>
    ctx.db.transaction().execute(async (tx) => {
      const ids = await markDue(tx, 'push_mirror', ctx.now(), BATCH)
      await ctx.jobs.enqueueAll(
        tx,
        'sync_push_mirror',
        ids.map((id) => ({ id })),
      )
      return ids.length
    }),
  )
  ctx.jobs.wake()
}

async function inBatches(work: () => Promise<number>): Promise<void> {
  while ((await work()) === BATCH);
}
