import type { Executor } from '../db/database.ts'
import { followBranch } from '../protection/branch-rules.ts'
import { renamePullBranches } from '../pulls/follow.ts'
import type { Repository } from '../repositories/repository.ts'
import { renameDefaultBranch } from './queries.ts'

export interface Rename {
  readonly from: string
  readonly to: string
}

/** What names a branch names it by its new name; whether it is the default branch. */
export async function followRename(
  tx: Executor,
  repo: Repository,
  rename: Rename,
): Promise<boolean> {
  await followBranch(tx, repo, rename.from, rename.to)
  await renamePullBranches(tx, repo.id, rename)
  return renameDefaultBranch(tx, repo.id, rename)
}
