import type { Writable } from 'node:stream'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { removeLeftLocks } from '../../platform/git/changing-refs.ts'
import type { PushHead } from '../../platform/git/pkt-line.ts'
import { receivePack } from '../../platform/git/serve.ts'
import { folderOf, isRemoved } from '../../repositories/repository/folder.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Brought } from './brought.ts'
import type { Part } from './part.ts'
import { largestPack, reservePushed } from './quota.ts'
import { refusals } from './refuse.ts'
import { refusalForRoom } from './room.ts'
import { rulesFor } from './rules.ts'

/** What a small push is for takes moments; it may also be made to take as long as it can. */
const SMALL_PUSHES_SHARE = 30

export interface Push {
  readonly head: PushHead
  /** Whether its pack is kept as it comes. */
  readonly isLarge: boolean
  /** Gets git's answer, and ends when what moved has been recorded. */
  readonly output: Writable
  /** Says that nobody is there any more; where no ref has been decided yet, none moves then. */
  readonly signal: AbortSignal
  /**
   * Throws when the caller may push no longer: asked again when the objects have arrived, which may
   * take long.
   */
  readonly recheck: () => Promise<void>
}

/** Hands a push to git and records what came of it. */
export async function receivePush(
  ctx: Context,
  caller: SignedInCaller,
  { view, part }: { readonly view: RepositoryView; readonly part: Part },
  { head, isLarge, output, signal, recheck }: Push,
): Promise<void> {
  const { push_time } = ctx.config.git
  try {
    const rules = await rulesFor(ctx, caller, view, part, head.updates)
    const { folder, guard } = rules
    const refused = refusals(rules.keptBranch, head.updates)
    const refusedAll = await refusalForRoom(ctx, folder, head.updates)
    const recheckThenPlan = async () => {
      await recheck()
      await rules.planMending()
    }
    const haveMoved = Promise.withResolvers<boolean>()
    let brought: Promise<Brought | undefined> | undefined
    const decideAll = async (quarantine: string | undefined) => {
      const refusal =
        refusedAll ??
        (await reasonAgainst(ctx, recheckThenPlan)) ??
        (await guard.refusalOfAll(refused.size > 0)) ??
        (await reasonAgainst(ctx, () => reservePushed(ctx, view.repo, quarantine)))
      if (refusal === undefined) brought = rules.foresee(haveMoved.promise)
      return refusal
    }
    const moved = await receivePack(ctx.git, folder, {
      input: head.body,
      output,
      hasBands: head.hasBands,
      signal,
      isLarge,
      cpuSeconds: isLarge ? push_time : Math.ceil(push_time / SMALL_PUSHES_SHARE),
      maxBytes: await largestPack(ctx, view.repo),
      byRef: refused.size > 0 || guard.isNeeded,
      decide: async (ref, quarantine) =>
        ref === undefined ? decideAll(quarantine) : (refused.get(ref) ?? guard.refusalOf(ref)),
      onMoved: () => haveMoved.resolve(true),
    }).finally(() => haveMoved.resolve(false))
    // Locks that were left would keep them from moving for ever.
    if (moved.length < head.updates.length) await removeLeftLocks(folder)
    await rules.record(moved, await brought)
  } catch (error) {
    // The refs are where git has put them, and the client has its answer; the planned job mends the
    // record.
    if (!isRemoved(folderOf(ctx, view.repo)))
      ctx.log.error({ err: error, repository: view.repo.id }, 'push not recorded')
  }
  output.end()
}

async function reasonAgainst(
  ctx: Context,
  check: () => Promise<void>,
): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message.replace(/\s+/g, ' ')
    ctx.log.error(error, 'push not checked')
    return 'The push could not be checked.'
  }
}
