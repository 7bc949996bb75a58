import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { followBranch } from '../protection/branch-rules.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { renameDefaultBranch } from './queries.ts'

export interface Rename {
  readonly from: string
  readonly to: string
}

/** What names a branch names it by its new name; whether it is the default branch. */
export async function followRename(
  ctx: Context,
  tx: Executor,
  repo: Repository,
  rename: Rename,
): Promise<boolean> {
  await followBranch(tx, repo, rename.from, rename.to)
  for (const listener of ctx.above.pushListeners) {
    await listener.onBranchRename?.(tx, repo.id, rename)
  }
  return renameDefaultBranch(tx, repo.id, rename)
}
