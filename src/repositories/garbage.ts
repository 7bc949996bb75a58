import type { Context } from '../context.ts'
import { findGraphTime, writeCommitGraph } from '../git/commit-graph.ts'
import { packRepository } from '../git/gc.ts'
import { countObjects } from '../git/size.ts'
import { findRepositoryById, listChangedSince, updateRepository } from './queries.ts'
import type { Repository } from './repository.ts'
import { foldersThere, measureFolders } from './size.ts'

const CHANGED_WITHIN_SECONDS = 8 * 86_400
const AT_ONCE = 500

/** The job: packs a repository that needs it, and measures it anew; indexes its history where that is long. */
export async function collectGarbage(ctx: Context, id: number, ending: AbortSignal): Promise<void> {
  const repo = await findRepositoryById(ctx.db, id)
  if (!repo) return
  let isPacked = false
  for (const folder of foldersThere(ctx, repo.folder)) {
    const { isScattered, isLarge } = await countObjects(ctx.git, folder)
    const lacksIndex = isLarge && (await isIndexOld(repo, folder))
    if (isScattered) await packRepository(ctx.git, folder, ending)
    if (lacksIndex) await writeCommitGraph(ctx.git, folder, ending)
    isPacked ||= isScattered
  }
  if (!isPacked) return
  const { bytes } = await measureFolders(ctx, repo.folder)
  await updateRepository(ctx.db, id, { git_size: bytes })
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
