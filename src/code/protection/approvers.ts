import type { Executor } from '../../platform/db/database.ts'
import { findTeamsOf, type Owned } from './people-queries.ts'
import { findRule, isLetThrough } from './policy.ts'
import { findBranchRules } from './queries.ts'

/**
 * Those of `accountIds` whose reviews count by the rule of a branch; none where it does not list
 * whose do.
 */
export async function findApprovers(
  db: Executor,
  repo: Owned,
  branch: string,
  accountIds: readonly number[],
): Promise<ReadonlySet<number> | undefined> {
  const rule = findRule(await findBranchRules(db, repo.id), branch)
  const approvals = rule?.settings.lists.approvals
  if (!approvals?.isEnabled) return undefined
  const teams = await findTeamsOf(db, repo, accountIds)
  const approves = (accountId: number) =>
    isLetThrough(approvals, { accountId, teamIds: teams.get(accountId) ?? [], isDeployKey: false })
  return new Set(accountIds.filter(approves))
}
