import type { Context } from '../../platform/context.ts'
import { setHead } from '../../platform/git/refs.ts'
import { listBranchNames } from '../../platform/git/written-refs.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { updateGitSize } from '../../repositories/repository/size.ts'
import { updateBranchCount } from './branch-count.ts'
import { firstDefaultBranch } from './default-branch.ts'
import { claimFirstPush, findMeasured, type MeasuredRow } from './queries.ts'

/** The job after a push: the row becomes what the directory is, and HEAD what the row says. */
export async function measureRepository(ctx: Context, id: number): Promise<void> {
  const row = await findMeasured(ctx.db, id)
  if (!row) return
  const folder = folderOf(ctx, row)
  await updateBranchCount(ctx, id, folder)
  await updateGitSize(ctx, { id, folder: row.folder })
  if (row.is_empty === 1) await noteFirstBranches(ctx, id, row, await listBranchNames(folder))
  const now = await findMeasured(ctx.db, id)
  if (now?.is_empty === 0) await setHead(ctx.git, folder, now.default_branch)
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
