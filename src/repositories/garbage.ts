import type { Context } from '../context.ts'
import { packRepository } from '../git/gc.ts'
import { repositoryFolder } from '../git/layout.ts'
import { countObjects, measureObjects } from '../git/size.ts'
import { findRepositoryById, listChangedSince, updateRepository } from './queries.ts'

const CHANGED_WITHIN_SECONDS = 8 * 86_400
const AT_ONCE = 500

/** Longer than one may take. */
export const GC_LEASE_SECONDS = 3600

/** The job: packs a repository that needs it, and measures it anew. */
export async function collectGarbage(ctx: Context, id: number, ending: AbortSignal): Promise<void> {
  const repo = await findRepositoryById(ctx.db, id)
  if (!repo) return
  const folder = repositoryFolder(ctx.config, repo.folder)
  if (!(await countObjects(ctx.git, folder)).isScattered) return
  await packRepository(ctx.git, folder, ending)
  await updateRepository(ctx.db, id, { git_size: await measureObjects(ctx.git, folder) })
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
