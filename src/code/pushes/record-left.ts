import { followRename } from '../branches/rename.ts'
import { refsToldSince } from '../../events/activity/record.ts'
import { callerOf, type Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import { findMoved, takeBackRefs } from '../../platform/git/update-refs.ts'
import type { JobRun } from '../../platform/jobs/queue.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { viewRepository } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findById } from '../../identity/users/load.ts'
import { afterPush } from './after-push.ts'
import type { PlannedMove } from './plan-measuring.ts'

/** The job for whoever did not live to record what they moved. */
export async function recordLeft(ctx: Context, plan: PlannedMove, run: JobRun): Promise<void> {
  const { repositoryId: id } = plan
  const repo = (await repositoriesById(ctx.db, [id])).get(id)
  if (!repo) return
  const moved = await findUntold(ctx, repo, plan, run)
  const actor = await findById(ctx, plan.actorId)
  if (actor && moved.length > 0) await tell(ctx, actor, repo, moved, plan, run)
  else await ctx.jobs.enqueue(ctx.db, 'measure_repository', { id })
}

async function tell(
  ctx: Context,
  actor: Account,
  repo: Repository,
  moved: readonly RefUpdate[],
  { renamed, isForeign }: PlannedMove,
  run: JobRun,
): Promise<void> {
  const caller = callerOf(actor)
  const view = await viewRepository(ctx, caller, repo)
  const alongside = async (tx: Executor) => {
    if (renamed) await followRename(ctx, tx, repo, renamed)
  }
  await afterPush(ctx, caller, view, moved, { isForeign, alongside, settle: run.finish })
}

/**
 * Of refs that somebody has moved on since, or of which something was told since, it is not known
 * whether they moved then.
 */
async function findUntold(
  ctx: Context,
  repo: Repository,
  plan: PlannedMove,
  { createdAt }: JobRun,
): Promise<readonly RefUpdate[]> {
  const told = await refsToldSince(ctx.db, repo.id, createdAt)
  const updates = plan.updates.filter(({ ref }) => !told.has(ref))
  if (plan.isWhole && updates.length < plan.updates.length) return []
  return movedOf(ctx, folderOf(ctx, repo), { ...plan, updates })
}

/** Git that was killed may have moved some of those that move together: these go back. */
async function movedOf(
  ctx: Context,
  folder: string,
  { updates, isWhole }: PlannedMove,
): Promise<readonly RefUpdate[]> {
  const planned = updates
    .map(({ ref, before, after }) => ({ ref, before, after }))
    .filter(({ before, after }) => before !== after)
  const moved = await findMoved(ctx.git, folder, planned)
  if (!isWhole || moved.length === planned.length || moved.length === 0) return moved
  ctx.log.warn(
    { folder, refs: moved.map(({ ref }) => ref) },
    'refs are taken back that moved halfway',
  )
  await takeBackRefs(ctx.git, folder, moved)
  return []
}
