import { recordActivities } from '../../events/activity/record.ts'
import { boundFeed } from '../../events/activity/room.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { branchOf, isTag, type RefUpdate } from '../../platform/git/ref-update.ts'
import { findBrought, type Brought } from '../pushes/brought.ts'
import { firstDefaultBranch } from '../pushes/default-branch.ts'
import { describePush, type PushActivity } from '../pushes/describe.ts'
import { followRow } from '../../repositories/repository/head.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { announcePush, preparePush } from '../pushes/webhook-events.ts'
import { digestOf } from './digest.ts'
import { nextSync, nextTry } from './interval.ts'
import { complaintOf } from './limits.ts'
import { finishHeld, updateHeld } from './lease-queries.ts'
import { updateSynced, type Mirror } from './queries.ts'

/** Full names of references to what they point at. */
export type Refs = ReadonlyMap<string, string>

/** What came of the code; there may be more to come before all is done. */
export async function recordRefs(
  ctx: Context,
  mirror: Mirror,
  view: RepositoryView,
  { before, after }: { readonly before: Refs; readonly after: Refs },
): Promise<void> {
  const updates = compareRefs(before, after)
  const recorded_refs = digestOf(after)
  // Who fetched last may not have lived to write down what came.
  if (updates.length === 0 && recorded_refs === mirror.recorded_refs) return
  const time = updates.length === 0 ? {} : { updated_at: ctx.now() }
  const branches = [...after.keys()].flatMap((ref) => branchOf(ref) ?? [])
  const record = await prepareRecord(ctx, view, updates)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await updateHeld(tx, 'mirror', mirror, { ...time, recorded_refs }))) return
    const updated = await updateSynced(tx, view.repo.id, {
      branch_count: branches.length,
      is_empty: branches.length === 0 ? 1 : 0,
      ...time,
    })
    if (!updated) return
    await keepDefault(tx, view.repo, updated.defaultBranch, branches)
    await record(tx, updated.isPrivate)
  })
  await followRow(ctx, view.repo)
  ctx.jobs.wake()
}

function compareRefs(before: Refs, after: Refs): readonly RefUpdate[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names]
    .map((ref) => ({ ref, before: before.get(ref), after: after.get(ref) }))
    .filter((update) => update.before !== update.after)
}

/** A remote may drop the branch that clones check out. */
async function keepDefault(
  tx: Executor,
  { id }: Repository,
  current: string,
  branches: readonly string[],
): Promise<void> {
  const branch = firstDefaultBranch(current, branches)
  if (branch === undefined || branch === current) return
  await updateSynced(tx, id, { default_branch: branch })
}

/** Finds out what came; what is given back writes it down, in the owner's name. */
async function prepareRecord(ctx: Context, view: RepositoryView, updates: readonly RefUpdate[]) {
  const { repo, owner } = view
  const brought = await findBrought(ctx, repo, updates)
  const activities = describeSync(view, updates, brought)
  const news = await preparePush(ctx, view, updates, brought)
  return async (tx: Executor, isPrivate: boolean): Promise<void> => {
    const common = { repositoryId: repo.id, accountId: owner.id, isPrivate, at: ctx.now() }
    await recordActivities(
      tx,
      activities.map((activity) => ({ ...common, ...activity })),
    )
    await boundFeed(ctx, tx, { repositoryId: repo.id, ownerId: owner.id }, activities)
    await announcePush(ctx, tx, owner, repo, news)
    await ctx.jobs.enqueue(tx, 'measure_repository', { id: repo.id })
  }
}

/** A new reference has two entries, of which one says only that it is there. */
function describeSync(
  view: RepositoryView,
  updates: readonly RefUpdate[],
  brought: Brought,
): readonly PushActivity[] {
  const newTags = updates.filter(({ ref, before }) => isTag(ref) && before === undefined)
  const names = new Set(newTags.map(({ ref }) => ref))
  return describePush(view, updates, brought).flatMap((activity) => asSynced(activity, names))
}

function asSynced(
  { kind, refName, content }: PushActivity,
  newTags: ReadonlySet<string>,
): readonly PushActivity[] {
  if (kind === 'delete_branch' || kind === 'delete_tag') {
    return [{ kind: 'mirror_sync_delete', refName, content: '' }]
  }
  const made: PushActivity = { kind: 'mirror_sync_create', refName, content: '' }
  if (content === '') return [made]
  const pushed: PushActivity = { kind: 'mirror_sync_push', refName, content }
  return newTags.has(refName) ? [made, pushed] : [pushed]
}

export async function recordSuccess(ctx: Context, mirror: Mirror): Promise<void> {
  const now = ctx.now()
  await finishHeld(ctx.db, 'mirror', mirror, {
    nextAt: nextSync(now, { seconds: mirror.interval_seconds }, mirror.repository_id),
    synced_at: now,
    last_error: '',
    failures: 0,
  })
}

export async function recordFailure(ctx: Context, mirror: Mirror, error: unknown): Promise<void> {
  const now = ctx.now()
  const failures = mirror.failures + 1
  const isNoted = await finishHeld(ctx.db, 'mirror', mirror, {
    failures,
    last_error: complaintOf(error),
    synced_at: now,
    nextAt: nextTry(now, { seconds: mirror.interval_seconds }, failures),
  })
  if (isNoted) {
    ctx.log.info({ repository: mirror.repository_id, failures }, 'mirror not synchronised')
  }
}
