import type { Context, SignedInCaller } from '../context.ts'
import { mayHaveCommitted } from '../db/unavailable.ts'
import type { RefUpdate } from '../git/ref-update.ts'
import { takeBackRefs, updateRefs } from '../git/update-refs.ts'
import { folderOf } from '../repositories/folder.ts'
import { afterPush, type PushFacts } from './after-push.ts'
import type { PushedTo } from './describe.ts'
import { planMending } from './plan-measuring.ts'

/** Moves refs and records it; false when one of them is no longer as `before` says. */
export async function moveRefs(
  ctx: Context,
  caller: SignedInCaller,
  view: PushedTo,
  updates: readonly RefUpdate[],
  facts?: PushFacts,
): Promise<boolean> {
  await planMending(ctx, view.repo.id)
  const isDone = await updateRefs(ctx.git, folderOf(ctx, view.repo), updates)
  if (isDone) await recordMoved(ctx, caller, view, updates, facts)
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
  await orTakeBack(ctx, folder, updates, () => afterPush(ctx, caller, view, updates, facts))
}

/** Refs that have moved go back where `record` fails, unless it may have been done all the same. */
export async function orTakeBack(
  ctx: Context,
  folder: string,
  updates: readonly RefUpdate[],
  record: () => Promise<void>,
): Promise<void> {
  try {
    await record()
  } catch (error) {
    const stays = mayHaveCommitted(error) || !(await isTakenBack(ctx, folder, updates))
    if (stays) ctx.log.error({ err: error, folder }, 'refs moved and not recorded')
    throw error
  }
}

async function isTakenBack(
  { git, log }: Context,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  try {
    return await takeBackRefs(git, folder, updates)
  } catch (error) {
    log.error({ err: error, folder }, 'refs not taken back')
    return false
  }
}
