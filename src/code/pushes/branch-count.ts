import type { Context } from '../../platform/context.ts'
import { listBranchNames } from '../../platform/git/written-refs.ts'
import { findBranchVersion, noteBranchCount } from './queries.ts'

export interface Branches {
  readonly names: readonly string[]
  /** What was written last before they were listed; none where the repository is gone. */
  readonly version: number
}

/** In this order: whoever writes in between has seen less, or as much. */
export async function listCounted(
  ctx: Context,
  id: number,
  folder: string,
): Promise<Branches | undefined> {
  const version = await findBranchVersion(ctx.db, id)
  if (version === undefined) return undefined
  return { names: await listBranchNames(folder), version }
}

/** While others write and write, the last of them counts again. */
const MAX_TURNS = 10

/**
 * Writes how many branches there are, and never a number that is older than the one that stands
 * there.
 */
export async function updateBranchCount(ctx: Context, id: number, folder: string): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const listed = await listCounted(ctx, id, folder)
    if (!listed) return
    const counted = { count: listed.names.length, version: listed.version }
    if (await noteBranchCount(ctx.db, id, counted)) return
  }
}
