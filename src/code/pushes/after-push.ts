import { recordActivities } from '../../events/activity/record.ts'
import { boundFeed } from '../../events/activity/room.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { branchOf, type RefUpdate } from '../../platform/git/ref-update.ts'
import { setHead } from '../../platform/git/refs.ts'
import { folderOf, isRemoved } from '../../repositories/repository/folder.ts'
import { announcePush, preparePush } from './webhook-events.ts'
import { listCounted, updateBranchCount } from './branch-count.ts'
import { findBrought, type Brought } from './brought.ts'
import { firstDefaultBranch } from './default-branch.ts'
import { describePush, type PushedTo } from './describe.ts'
import { claimFirstPush, noteBranchCount, updatePushed } from './queries.ts'

export interface PushFacts {
  /** If somebody has found it out already. */
  readonly known?: Brought | undefined
  /** What the commits say was said about another repository. */
  readonly isForeign?: boolean | undefined
  /** What else becomes true with it, of rows that are taken before that of the repository. */
  readonly alongside?: ((tx: Executor) => Promise<void>) | undefined
  /** In the transaction that records it: whoever would have done so otherwise need not. */
  readonly settle?: (tx: Executor) => Promise<void>
}

/**
 * Records what moved, whoever moved it: a push, a commit through the API, a merge. Git is ahead of
 * us here. Where it fails, nothing is recorded.
 */
export async function afterPush(
  ctx: Context,
  caller: SignedInCaller,
  view: PushedTo,
  updates: readonly RefUpdate[],
  { known, isForeign = false, alongside, settle }: PushFacts = {},
): Promise<void> {
  if (updates.length === 0) return
  const { repo } = view
  const folder = folderOf(ctx, repo)
  const pushed = updates.flatMap(({ ref, after }) => (after && branchOf(ref)) ?? [])
  const first = repo.isEmpty ? firstDefaultBranch(repo.defaultBranch, pushed) : undefined
  const now = first === undefined ? view : { ...view, repo: { ...repo, defaultBranch: first } }
  const [branches, brought] = await Promise.all([
    listCounted(ctx, repo.id, folder),
    known ?? findBrought(ctx, repo, updates),
  ])
  const activities = describePush(now, updates, brought)
  const news = await preparePush(ctx, now, updates, brought)
  const at = ctx.now()
  let isOutrun = false
  const isFirst = await ctx.db.transaction().execute(async (tx) => {
    await alongside?.(tx)
    const updated = await updatePushed(tx, repo.id, at)
    if (!updated) return false
    const counted = branches && { count: branches.names.length, version: branches.version }
    isOutrun = counted === undefined || !(await noteBranchCount(tx, repo.id, counted))
    const common = { ...updated, repositoryId: repo.id, accountId: caller.account.id, at }
    await recordActivities(
      tx,
      activities.map((activity) => ({ ...common, ...activity })),
    )
    await boundFeed(ctx, tx, { repositoryId: repo.id, ownerId: repo.ownerId }, activities)
    await announcePush(ctx, tx, caller.account, repo, news)
    const push = { caller, view: now, updates, brought, isForeign }
    for (const listener of ctx.above.pushListeners) await listener.inTransaction?.(ctx, tx, push)
    await settle?.(tx)
    await ctx.jobs.enqueue(tx, 'measure_repository', { id: repo.id })
    return first !== undefined && claimFirstPush(tx, repo.id, first)
  })
  try {
    if (isOutrun) await updateBranchCount(ctx, repo.id, folder)
    // After the row, so that of two first pushes one decides.
    if (isFirst && first !== undefined) await setHead(ctx.git, folder, first)
    for (const listener of ctx.above.pushListeners) {
      await listener.afterCommit?.(ctx, caller, repo, updates)
    }
  } catch (error) {
    // It is recorded, and the job mends this, as it does after a crash.
    if (!isRemoved(folder)) ctx.log.error({ err: error, repository: repo.id }, 'push not followed')
  }
  ctx.jobs.wake()
}
