import type { Context } from '../context.ts'
import { setHead } from '../git/refs.ts'
import { listBranchNames } from '../git/written-refs.ts'
import { folderOf } from '../repositories/folder.ts'
import { measureFolders } from '../repositories/size.ts'
import { firstDefaultBranch } from './default-branch.ts'
import { claimFirstPush, findMeasured, updateMeasured, type MeasuredRow } from './queries.ts'

/** The job after a push: the row becomes what the directory is, and HEAD what the row says. */
export async function measureRepository(ctx: Context, id: number): Promise<void> {
  const row = await findMeasured(ctx.db, id)
  if (!row) return
  const folder = folderOf(ctx, row)
  const branches = await listBranchNames(folder)
  const { bytes: gitSize, needsCare } = await measureFolders(ctx, row.folder)
  await updateMeasured(ctx.db, id, { gitSize, branchCount: branches.length })
  if (row.is_empty === 1) await noteFirstBranches(ctx, id, row, branches)
  const now = await findMeasured(ctx.db, id)
  if (now?.is_empty === 0) await setHead(ctx.git, folder, now.default_branch)
  if (needsCare) await ctx.jobs.enqueueOnce(ctx.db, 'collect_garbage', { id })
}

/** What came with a push that nobody lived to record. */
async function noteFirstBranches(
  ctx: Context,
  id: number,
  row: MeasuredRow,
  branches: readonly string[],
): Promise<void> {
  const first = firstDefaultBranch(row.default_branch, branches)
  if (first !== undefined) await claimFirstPush(ctx.db, id, first)
}
