import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import { takeBackRefs, updateRefs } from '../../platform/git/update-refs.ts'
import { folderOf, isRemoved } from '../../repositories/repository/folder.ts'
import { afterPush, type PushFacts } from './after-push.ts'
import type { PushedTo } from './describe.ts'
import { planOf, planRecording, type PlannedMove } from './plan-measuring.ts'

export interface MoveFacts extends PushFacts {
  /** They are one branch that gets another name. */
  readonly renamed?: PlannedMove['renamed']
}

/** Moves refs and records it; false when one of them is no longer as `before` says. */
export async function moveRefs(
  ctx: Context,
  caller: SignedInCaller,
  view: PushedTo,
  updates: readonly RefUpdate[],
  { isForeign, renamed, ...facts }: MoveFacts = {},
): Promise<boolean> {
  const plan = planOf(caller, view.repo.id, updates, { isWhole: true, isForeign, renamed })
  const settle = (on: Executor) => ctx.jobs.forget(on, 'record_moved', plan)
  await planRecording(ctx, plan)
  const isDone = await updateRefs(ctx.git, folderOf(ctx, view.repo), updates)
  if (isDone) await recordMoved(ctx, caller, view, updates, { ...facts, isForeign, settle })
  else await settle(ctx.db)
  return isDone
}

/** For callers who are told whether it worked: what cannot be recorded has not moved either. */
export async function recordMoved(
  ctx: Context,
  caller: SignedInCaller,
  view: PushedTo,
  updates: readonly RefUpdate[],
  facts?: PushFacts,
): Promise<void> {
  const folder = folderOf(ctx, view.repo)
  const record = () => afterPush(ctx, caller, view, updates, facts)
  await orTakeBack(ctx, folder, updates, record, facts?.settle)
}

/** Refs that have moved go back where `record` fails, unless it may have been done all the same. */
export async function orTakeBack(
  ctx: Context,
  folder: string,
  updates: readonly RefUpdate[],
  record: () => Promise<void>,
  settle?: PushFacts['settle'],
): Promise<void> {
  try {
    await record()
  } catch (error) {
    const stays = mayHaveCommitted(error) || !(await isTakenBack(ctx, folder, updates))
    if (stays) ctx.log.error({ err: error, folder }, 'refs moved and not recorded')
    // What has stayed where it was has nothing to be recorded; the job that would do it sees that
    // as well.
    else await settle?.(ctx.db).catch(() => undefined)
    throw error
  }
}

/** Also where they went with their repository, which somebody has deleted meanwhile. */
async function isTakenBack(
  { git, log }: Context,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  try {
    return await takeBackRefs(git, folder, updates)
  } catch (error) {
    if (isRemoved(folder)) return true
    log.error({ err: error, folder }, 'refs not taken back')
    return false
  }
}
