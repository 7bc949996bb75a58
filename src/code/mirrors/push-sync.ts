import { anonymous, type Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { invalid } from '../../platform/errors.ts'
import { pushRemote } from '../../platform/git/push-remote.ts'
import type { Remote, RemoteOptions } from '../../platform/git/remote.ts'
import { hasLfsObjects } from '../lfs/copy.ts'
import { listPointers, sortByPresence } from '../lfs/pointers.ts'
import { pushObjects } from '../lfs/push.ts'
import { NotYet } from '../../platform/jobs/queue.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { findCurrent } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { reconnect } from './connect.ts'
import { digestOfRefs } from './digest.ts'
import { assertStillHeld, doAll, newLease, whileHeld, type Held } from './held.ts'
import { nextSync, nextTry } from './interval.ts'
import { finishHeld, markOneQueued, updateHeld } from './lease-queries.ts'
import { complaintAbout, lfsRemoteOf } from './lfs.ts'
import { complaintOf, limitsOf } from './limits.ts'
import {
  findPushMirror,
  findPushMirrorIds,
  updatePushMirror,
  type PushMirror,
} from './push-queries.ts'
import { findWiki, pushWiki } from './push-wiki.ts'
import { RemoteMemory } from './remote-memory.ts'
import { awaitTurn } from './turn.ts'

/** The job: its failures are noted, and it is tried again in its own time. */
export async function syncPushMirror(ctx: Context, id: number, ending: AbortSignal): Promise<void> {
  const mirror = await claim(ctx, id)
  if (!mirror) return
  try {
    await push(ctx, mirror, ending, ({ refs }) => needsPush(ctx, mirror, refs))
  } catch (error) {
    // The job goes back to the queue.
    await updatePushMirror(ctx.db, id, { is_queued: 1 })
    throw error
  }
}

/** Not after a push that brought nothing new, or the mending after one. */
function needsPush(
  ctx: Context,
  { next_at, pushed_refs, failures }: PushMirror,
  refs: string,
): boolean {
  const isDue = next_at > 0 && next_at <= ctx.now()
  return isDue || pushed_refs !== refs || failures > 0
}

/**
 * All of a repository, while the caller waits; says which have failed. One that is busy is left to
 * its job.
 */
export async function syncAllNow(
  ctx: Context,
  repo: Repository,
  signal: AbortSignal,
): Promise<void> {
  if (ctx.quiet.isQuiet) throw invalid('a copy of a server pushes to no mirror')
  const failed: string[] = []
  for (const id of await findPushMirrorIds(ctx.db, repo.id)) {
    const mirror = await claimOrQueue(ctx, id)
    if (!mirror) continue
    const isDone = await push(ctx, mirror, signal, () => true)
    if (!isDone) failed.push(mirror.remote_name)
  }
  if (failed.length > 0) throw invalid(`error syncing push mirrors: ${failed.join(', ')}`)
}

async function claimOrQueue(ctx: Context, id: number): Promise<PushMirror | undefined> {
  try {
    return await claim(ctx, id)
  } catch (error) {
    if (!(error instanceof NotYet)) throw error
    await ctx.db.transaction().execute(async (tx) => {
      if (await markOneQueued(tx, 'push_mirror', id))
        await ctx.jobs.enqueue(tx, 'sync_push_mirror', { id })
    })
    return undefined
  }
}

async function claim(ctx: Context, id: number): Promise<PushMirror | undefined> {
  return ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'mirror_hosts')
    const mirror = await findPushMirror(tx, id)
    if (!mirror) return undefined
    await awaitTurn(ctx, tx, mirror)
    const lease = newLease(ctx)
    await updatePushMirror(tx, id, lease)
    return { ...mirror, ...lease }
  })
}

/** What is pushed. */
interface Source {
  readonly repo: Repository
  readonly folder: string
  readonly wiki: string | undefined
  /** Of the code alone. */
  readonly codeRefs: string
  /** Of all of it. */
  readonly refs: string
}

/** As it is now: what moves afterwards is pushed once more. */
async function readSource(ctx: Context, { repository_id }: PushMirror): Promise<Source> {
  const view = await findCurrent(ctx, anonymous, repository_id)
  const { repo } = view
  const folder = folderOf(ctx, repo)
  const wiki = await findWiki(ctx, view)
  const codeRefs = await digestOfRefs(ctx, folder)
  const refs = wiki === undefined ? codeRefs : `${codeRefs} ${await digestOfRefs(ctx, wiki)}`
  return { repo, folder, wiki, codeRefs, refs }
}

/** False when the remote did not take it, or it could not be read here. */
async function push(
  ctx: Context,
  mirror: PushMirror,
  signal: AbortSignal,
  isWanted: (source: Source) => boolean,
): Promise<boolean> {
  try {
    const source = await readSource(ctx, mirror)
    if (!isWanted(source)) {
      await finishHeld(ctx.db, 'push_mirror', mirror, {})
      return true
    }
    await whileHeld(ctx, heldBy(ctx, mirror), signal, (held) => send(ctx, mirror, source, held))
    await noteSuccess(ctx, mirror, source.refs)
    return true
  } catch (error) {
    if (signal.aborted) {
      await finishHeld(ctx.db, 'push_mirror', mirror, {})
      throw error
    }
    await noteFailure(ctx, mirror, error)
    return false
  }
}

async function send(
  ctx: Context,
  mirror: PushMirror,
  { repo, folder, wiki, codeRefs }: Source,
  held: AbortSignal,
): Promise<void> {
  const remote = await reconnect(ctx, mirror)
  const since = performance.now()
  const assertKept = () => assertStillHeld(ctx, heldBy(ctx, mirror))
  const limits = () => ({ ...limitsOf(ctx, held, since), maxBytes: 0, assertKept })
  const memory = new RemoteMemory(ctx, mirror)
  const isNew = mirror.pushed_refs.split(' ')[0] !== codeRefs
  const steps = [
    // Before what points at them, as clients do.
    ...(isNew ? [() => pushLfs(ctx, repo, remote, limits())] : []),
    () => pushRemote(ctx.git, folder, remote, { ...limits(), ...memory.of('code') }),
    ...(wiki === undefined
      ? []
      : [() => pushWiki(ctx, wiki, remote, () => ({ ...limits(), ...memory.of('wiki') }))]),
  ]
  await doAll(steps, held)
}

/** What the history points at, as far as it is here. */
async function pushLfs(
  ctx: Context,
  repo: Repository,
  remote: Remote,
  limits: RemoteOptions,
): Promise<void> {
  if (!ctx.config.lfs.enabled || !(await hasLfsObjects(ctx.db, repo.id))) return
  const folder = folderOf(ctx, repo)
  const pointers = await listPointers(ctx, folder, limits)
  const { here } = await sortByPresence(ctx, repo.id, pointers)
  const pushed = await pushObjects(ctx, repo, lfsRemoteOf('', remote), here, limits)
  const complaint = complaintAbout(pushed)
  if (complaint !== undefined) throw new Error(complaint)
}

function heldBy(ctx: Context, mirror: PushMirror): Held {
  return {
    holder: mirror.holder,
    find: () => findPushMirror(ctx.db, mirror.id),
    renew: (lease) => updateHeld(ctx.db, 'push_mirror', mirror, lease),
  }
}

async function noteSuccess(ctx: Context, mirror: PushMirror, refs: string): Promise<void> {
  const now = ctx.now()
  await finishHeld(ctx.db, 'push_mirror', mirror, {
    nextAt: nextSync(now, { seconds: mirror.interval_seconds }, mirror.id),
    updated_at: now,
    pushed_refs: refs,
    last_error: '',
    failures: 0,
  })
}

async function noteFailure(ctx: Context, mirror: PushMirror, error: unknown): Promise<void> {
  const now = ctx.now()
  const failures = mirror.failures + 1
  await finishHeld(ctx.db, 'push_mirror', mirror, {
    nextAt: nextTry(now, { seconds: mirror.interval_seconds }, failures),
    updated_at: now,
    last_error: complaintOf(error),
    failures,
  })
}
