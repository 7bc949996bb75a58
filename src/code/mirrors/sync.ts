import { anonymous, type Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { wikiFolder } from '../../platform/git/layout.ts'
import { listRefs } from '../../platform/git/list-refs.ts'
import { branchOf, isTag } from '../../platform/git/ref-update.ts'
import type { Remote, RemoteOptions } from '../../platform/git/remote.ts'
import { fetchObjects } from '../lfs/fetch.ts'
import { listPointers, sortByPresence } from '../lfs/pointers.ts'
import { storeObject } from '../lfs/store.ts'
import { findRoom, quotaExceeded } from '../../repositories/repository/quota.ts'
import { assertNotStray, folderOf } from '../../repositories/repository/folder.ts'
import { findCurrent } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { planMeasuring } from '../wikis/after-change.ts'
import { reconnect } from './connect.ts'
import { digestOfRefs } from './digest.ts'
import { doAll, newLease, whileHeld, type Held } from './held.ts'
import { finishHeld, updateHeld } from './lease-queries.ts'
import { fetchAllowed } from './fetch-allowed.ts'
import { complaintAbout, lfsRemoteOf, unsealEndpoint } from './lfs.ts'
import { limitsOf } from './limits.ts'
import { findMirror, updateMirror, type Mirror } from './queries.ts'
import { recordFailure, recordRefs, recordSuccess, type Refs } from './record.ts'
import { awaitTurn } from './turn.ts'
import { fetchWiki } from './wiki.ts'

/**
 * The job: brings in what the remote has. Its failures are noted on the mirror, which is tried
 * again in its own time.
 */
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
      // The job goes back to the queue.
      await finishHeld(ctx.db, 'mirror', mirror, { is_queued: 1 })
      throw error
    }
    await recordFailure(ctx, mirror, error)
  }
}

/** Nobody else works on it then. */
async function claimMirror(ctx: Context, repositoryId: number): Promise<Mirror | undefined> {
  return ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'mirror_hosts')
    const mirror = await findMirror(tx, repositoryId)
    if (!mirror) return undefined
    await awaitTurn(ctx, tx, { ...mirror, id: repositoryId })
    const lease = newLease(ctx)
    await updateMirror(tx, repositoryId, lease)
    return { ...mirror, ...lease }
  })
}

async function bringIn(ctx: Context, mirror: Mirror, ending: AbortSignal): Promise<void> {
  const view = await findCurrent(ctx, anonymous, mirror.repository_id)
  const folder = folderOf(ctx, view.repo)
  if ((await findRoom(ctx, ctx.db, view.repo)) === 0) throw quotaExceeded()
  const before = await readRefs(ctx, folder)
  await whileHeld(ctx, heldBy(ctx, mirror), ending, async (signal) => {
    const since = performance.now()
    const limits = () => limitsOf(ctx, signal, since)
    const remote = await reconnect(ctx, mirror)
    const prune = mirror.enable_prune === 1
    const known = knownRef(view.repo, before)
    await fetchAllowed(ctx, folder, remote, { ...limits(), prune, known })
    await recordRefs(ctx, mirror, view, { before, after: await readRefs(ctx, folder) })
    // One does not keep the other from coming.
    const rest = [
      () => bringLfs(ctx, mirror, view.repo, remote, limits()),
      () => bringWiki(ctx, mirror, view.repo, remote, limits()),
    ]
    await doAll(rest, signal)
  })
  await recordSuccess(ctx, mirror)
}

/** The one that the remote is least likely to have taken away. */
function knownRef({ defaultBranch }: Repository, refs: Refs): string | undefined {
  const usual = `refs/heads/${defaultBranch}`
  return refs.has(usual) ? usual : refs.keys().next().value
}

/** What the history points at; nobody looks again before it has changed. */
async function bringLfs(
  ctx: Context,
  mirror: Mirror,
  repo: Repository,
  remote: Remote,
  limits: RemoteOptions,
): Promise<void> {
  if (mirror.has_lfs === 0 || !ctx.config.lfs.enabled) return
  const folder = folderOf(ctx, repo)
  const refs = await digestOfRefs(ctx, folder)
  if (refs === mirror.lfs_refs) return
  const endpoint = unsealEndpoint(ctx.secrets, mirror.lfs_endpoint)
  const pointers = await listPointers(ctx, folder, limits)
  const { absent } = await sortByPresence(ctx, repo.id, pointers)
  const fetched = await fetchObjects(ctx, lfsRemoteOf(endpoint, remote), absent, {
    ...limits,
    keep: (pointer, content) => storeObject(ctx, repo, pointer, content, async () => undefined),
  })
  const complaint = complaintAbout(fetched)
  if (complaint !== undefined) throw new Error(complaint)
  await updateHeld(ctx.db, 'mirror', mirror, { lfs_refs: refs })
}

async function bringWiki(
  ctx: Context,
  mirror: Mirror,
  repo: Repository,
  remote: Remote,
  limits: RemoteOptions,
): Promise<void> {
  if (mirror.has_wiki === 0) return
  const hasChanged = await fetchWiki(ctx, repo, remote, {
    ...limits,
    prune: mirror.enable_prune === 1,
  })
  if (!hasChanged) return
  await assertNotStray(ctx, repo, wikiFolder(ctx.config, repo.folder))
  await planMeasuring(ctx, repo.id)
}

function heldBy(ctx: Context, mirror: Mirror): Held {
  return {
    holder: mirror.holder,
    find: () => findMirror(ctx.db, mirror.repository_id),
    renew: (lease) => updateHeld(ctx.db, 'mirror', mirror, lease),
  }
}

/** Branches and tags. */
async function readRefs(ctx: Context, folder: string): Promise<Refs> {
  const refs = await listRefs(ctx.git, folder, 'refs/')
  const shown = refs.filter(({ name }) => branchOf(name) !== undefined || isTag(name))
  return new Map(shown.map(({ name, id }) => [name, id]))
}
