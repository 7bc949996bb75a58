import type { Context } from '../../platform/context.ts'
import { findGraphTime, writeCommitGraph } from '../../platform/git/commit-graph.ts'
import { PACKING_LIMIT_MS, packRepository } from '../../platform/git/gc.ts'
import { removeLeftovers } from '../../platform/git/leftovers.ts'
import { removeFolders } from '../../platform/git/remove.ts'
import { SERVING_LIMIT_MS } from '../../platform/git/serve.ts'
import { countObjects, type ObjectCount } from '../../platform/git/size.ts'
import { NotYet } from '../../platform/jobs/queue.ts'
import { findGitSize, findRepositoryById, listChangedSince, noteGitSize } from './queries.ts'
import type { Repository } from './repository.ts'
import { foldersThere, measureFolders } from './size.ts'

const CHANGED_WITHIN_SECONDS = 8 * 86_400
const AT_ONCE = 500

/**
 * The job: packs a repository that needs it, and measures it anew; indexes its history where that
 * is long.
 */
export async function collectGarbage(ctx: Context, id: number, ending: AbortSignal): Promise<void> {
  const repo = await findRepositoryById(ctx.db, id)
  if (!repo) return
  try {
    await tidy(ctx, repo, ending)
  } catch (error) {
    if (await removeStray(ctx, repo)) return
    throw error
  }
  await removeStray(ctx, repo)
}

/**
 * Git also writes where folders were just removed with their repository: nobody else comes back for
 * those.
 */
async function removeStray(ctx: Context, { id, folder }: Repository): Promise<boolean> {
  if (await findRepositoryById(ctx.db, id)) return false
  await removeFolders(ctx.config, folder)
  return true
}

async function tidy(ctx: Context, repo: Repository, ending: AbortSignal): Promise<void> {
  let known = await findGitSize(ctx.db, repo.id)
  let hasChanged = false
  let bytes = 0
  for (const folder of foldersThere(ctx, repo.folder)) {
    const counted = await countObjects(ctx.git, folder)
    const lacksIndex = counted.isLarge && (await isIndexOld(repo, folder))
    if (counted.isScattered) await pack(ctx, folder, counted, ending)
    if (lacksIndex) await writeCommitGraph(ctx.git, folder, ending)
    hasChanged ||= counted.isScattered || lacksIndex
    bytes += counted.bytes
  }
  // Either takes minutes, and somebody may have pushed meanwhile.
  if (hasChanged) {
    known = await findGitSize(ctx.db, repo.id)
    bytes = (await measureFolders(ctx, repo.folder)).bytes
  }
  // Also of one that was packed before, by a process that has died over it.
  if (known) await noteGitSize(ctx.db, repo.id, known, bytes)
}

/**
 * Git that fails here leaves as much of a new pack as it has written. So it is tried again when
 * nobody can be at work on that any more, and what it left goes first.
 */
async function pack(
  ctx: Context,
  folder: string,
  { bytes }: ObjectCount,
  ending: AbortSignal,
): Promise<void> {
  const longest = longestWork(ctx)
  await removeLeftovers(folder, (ctx.now() - longest) * 1000)
  try {
    await ctx.room.assertLeftFor(folder, bytes)
    await packRepository(ctx.git, folder, ending)
  } catch (error) {
    ending.throwIfAborted()
    ctx.log.warn({ err: error, folder }, 'repository not packed')
    throw new NotYet(longest + 1)
  }
}

/**
 * In seconds, of those who write packs into a repository: who packs it, who pushes, and mirrors.
 */
function longestWork({ config }: Context): number {
  return Math.max(PACKING_LIMIT_MS / 1000, SERVING_LIMIT_MS / 1000, config.mirror.time_limit) + 60
}

/** Also when there is no index. */
async function isIndexOld({ updatedAt }: Repository, folder: string): Promise<boolean> {
  const indexedAt = await findGraphTime(folder)
  return indexedAt === undefined || indexedAt <= updatedAt
}

/** A scheduled task: looks at all repositories that have changed of late. */
export async function collectAllGarbage(ctx: Context): Promise<void> {
  const since = ctx.now() - CHANGED_WITHIN_SECONDS
  for (let after = 0; ;) {
    const ids = await listChangedSince(ctx.db, since, { after, limit: AT_ONCE })
    const payloads = ids.map((id) => ({ id }))
    if (ids.length > 0) await ctx.jobs.enqueueAll(ctx.db, 'collect_garbage', payloads)
    if (ids.length < AT_ONCE) break
    after = ids.at(-1) ?? 0
  }
  ctx.jobs.wake()
}
