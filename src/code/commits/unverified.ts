import type { Context } from '../../platform/context.ts'
import { listCommitIds, readCommits, type Range } from '../../platform/git/history.ts'
import { withObjects } from '../../platform/git/object-pool.ts'
import { verifyCommits } from './verification.ts'

const AT_ONCE = 1000

/** The newest commit of these that is not signed by who has made it. */
export async function findUnverified(
  ctx: Context,
  folder: string,
  range: Range,
): Promise<string | undefined> {
  for (let offset = 0; ; offset += AT_ONCE) {
    const page = { offset, limit: AT_ONCE }
    const ids = await listCommitIds(ctx.git, folder, range, page)
    if (ids.length === 0) return undefined
    const commits = await withObjects(ctx.git, folder, (objects) => readCommits(objects, ids))
    const verifications = await verifyCommits(ctx, commits)
    // One that is too large to be read is not verified either.
    const unverified = ids.find((id) => !verifications(id).isVerified)
    if (unverified !== undefined) return unverified
    if (ids.length < AT_ONCE) return undefined
  }
}
