import { recordActivities, type NewActivity } from '../activity/record.ts'
import { anonymous, type Context } from '../context.ts'
import { lock } from '../db/lock.ts'
import { repositoryFolder } from '../git/layout.ts'
import { listRefs } from '../git/list-refs.ts'
import { branchOf, isTag, type RefUpdate } from '../git/ref-update.ts'
import { setHead } from '../git/refs.ts'
import { fetchRemote } from '../git/remote.ts'
import { firstDefaultBranch } from '../pushes/default-branch.ts'
import { describePush, type PushActivity } from '../pushes/describe.ts'
import { findCurrent } from '../repositories/load.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { announcePush, preparePush } from '../webhooks/push-events.ts'
import { reconnect } from './connect.ts'
import { nextSync, nextTry } from './interval.ts'
import { complaintOf, leaseSeconds, limitsOf } from './limits.ts'
import { findMirror, finishMirror, updateMirror, updateSynced, type Mirror } from './queries.ts'
import { awaitTurn } from './turn.ts'

const WATCH_EVERY_MS = 1_000

/** The job: brings in what the remote has. Its failures are noted on the mirror, which is tried again in its own time. */
export async function syncMirror(
  ctx: Context,
  repositoryId: number,
  ending: AbortSignal,
): Promise<void> {
  const mirror = await claimMirror(ctx, repositoryId)
  if (!mirror) return
  try {
    await bringIn(ctx, mirror, ending)
  } catch (error) {
    if (ending.aborted) {
      await finishMirror(ctx.db, mirror, { is_queued: 1 })
      throw error
    }
    await noteFailure(ctx, mirror, error)
  }
}

/** Nobody else works on it then. */
async function claimMirror(ctx: Context, repositoryId: number): Promise<Mirror | undefined> {
  return ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'mirror_hosts')
    const mirror = await findMirror(tx, repositoryId)
    if (!mirror) return undefined
    await awaitTurn(ctx, tx, { ...mirror, id: repositoryId })
    const lease = { lease_until: ctx.now() + leaseSeconds(ctx), is_queued: 0 as const }
    await updateMirror(tx, repositoryId, lease)
    return { ...mirror, ...lease }
  })
}

async function bringIn(ctx: Context, mirror: Mirror, ending: AbortSignal): Promise<void> {
  const view = await findCurrent(ctx, anonymous, mirror.repository_id)
  const folder = repositoryFolder(ctx.config, view.repo.folder)
  const before = await readRefs(ctx, folder)
  await whileHeld(ctx, mirror, ending, async (signal) => {
    const remote = await reconnect(ctx, mirror)
    const prune = mirror.enable_prune === 1
    await fetchRemote(ctx.git, folder, remote, { ...limitsOf(ctx, signal), prune })
  })
  const after = await readRefs(ctx, folder)
  await noteSuccess(ctx, mirror, view, { folder, after, updates: compareRefs(before, after) })
}

/** Ends what takes long when the server stops, the repository is deleted or another has taken over. */
async function whileHeld(
  ctx: Context,
  mirror: Mirror,
  ending: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const watch = setInterval(() => {
    findMirror(ctx.db, mirror.repository_id)
      .then((now) => {
        if (now?.lease_until !== mirror.lease_until) lost.abort(new Error('the mirror is gone'))
      })
      .catch(() => undefined)
  }, WATCH_EVERY_MS)
  try {
    await work(AbortSignal.any([ending, lost.signal]))
  } finally {
    clearInterval(watch)
  }
}

type Refs = ReadonlyMap<string, string>

async function readRefs(ctx: Context, folder: string): Promise<Refs> {
  const refs = await listRefs(ctx.git, folder, 'refs/')
  const shown = refs.filter(({ name }) => branchOf(name) !== undefined || isTag(name))
  return new Map(shown.map(({ name, id }) => [name, id]))
}

export function compareRefs(before: Refs, after: Refs): readonly RefUpdate[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names]
    .map((ref) => ({ ref, before: before.get(ref), after: after.get(ref) }))
    .filter((update) => update.before !== update.after)
}

interface Synced {
  readonly folder: string
  readonly after: Refs
  readonly updates: readonly RefUpdate[]
}

async function noteSuccess(
  ctx: Context,
  mirror: Mirror,
  view: RepositoryView,
  { folder, after, updates }: Synced,
): Promise<void> {
  const { repo } = view
  const branches = [...after.keys()].flatMap((ref) => branchOf(ref) ?? [])
  const head = firstDefaultBranch(repo.defaultBranch, branches) ?? repo.defaultBranch
  if (head !== repo.defaultBranch) await setHead(ctx.git, folder, head)
  const activities = await describeSync(ctx, view, updates)
  const news = await preparePush(ctx, view, updates)
  const now = ctx.now()
  const next_at = nextSync(now, { seconds: mirror.interval_seconds }, mirror.repository_id)
  const good = { next_at, synced_at: now, last_error: '', failures: 0 }
  await ctx.db.transaction().execute(async (tx) => {
    const changes = updates.length === 0 ? good : { ...good, updated_at: now }
    if (!(await finishMirror(tx, mirror, changes)) || updates.length === 0) return
    const updated = await updateSynced(tx, repo.id, {
      branch_count: branches.length,
      is_empty: branches.length === 0 ? 1 : 0,
      default_branch: head,
      updated_at: now,
    })
    if (!updated) return
    const common = { ...updated, repositoryId: repo.id, accountId: repo.ownerId, at: now }
    await recordActivities(
      tx,
      activities.map((activity): NewActivity => ({ ...common, ...activity })),
    )
    await announcePush(ctx, tx, view.owner, repo, news)
    await ctx.jobs.enqueue(tx, 'measure_repository', { id: repo.id })
  })
  ctx.jobs.wake()
}

/** A new reference has two entries, of which one says only that it is there. */
async function describeSync(
  ctx: Context,
  view: RepositoryView,
  updates: readonly RefUpdate[],
): Promise<readonly PushActivity[]> {
  const activities = await describePush(ctx, view, updates)
  const newTags = new Set(
    updates.filter(({ ref, before }) => isTag(ref) && !before).map(({ ref }) => ref),
  )
  return activities.flatMap((activity) => asSynced(activity, newTags))
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

async function noteFailure(ctx: Context, mirror: Mirror, error: unknown): Promise<void> {
  const now = ctx.now()
  const failures = mirror.failures + 1
  const isNoted = await finishMirror(ctx.db, mirror, {
    failures,
    last_error: complaintOf(error),
    synced_at: now,
    next_at: nextTry(now, { seconds: mirror.interval_seconds }, failures),
  })
  if (isNoted)
    ctx.log.info({ repository: mirror.repository_id, failures }, 'mirror not synchronised')
}
