import type { Context } from '../../platform/context.ts'
import type { Pull } from '../pulls/pull.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { findOwnerGroups } from './code-owners.ts'
import { findDecisions, findTeamsWith } from './queries.ts'

/** Whether one of the owners that each rule names, or of their teams, has approved. */
export async function haveOwnersApproved(
  ctx: Context,
  view: RepositoryView,
  authorId: number | undefined,
  pull: Pull,
  { ignoresStaleApprovals }: { readonly ignoresStaleApprovals: boolean },
): Promise<boolean> {
  const groups = await findOwnerGroups(ctx, view, authorId, pull)
  if (!groups) return false
  const approvers = await findApprovers(ctx, pull.issueId, ignoresStaleApprovals)
  const teamIds = [...new Set(groups.flatMap(({ teams }) => [...teams]))]
  const teams = await findTeamsWith(ctx.db, teamIds, [...approvers])
  return groups.every(
    (group) => !group.people.isDisjointFrom(approvers) || !group.teams.isDisjointFrom(teams),
  )
}

/** Whose last word was to approve. */
async function findApprovers(
  ctx: Context,
  issueId: number,
  ignoresStale: boolean,
): Promise<ReadonlySet<number>> {
  const decisions = await findDecisions(ctx.db, issueId)
  const last = new Map(decisions.map((decision) => [decision.reviewerId ?? 0, decision]))
  const approvals = [...last].filter(
    ([, { state, isStale }]) => state === 'APPROVED' && !(ignoresStale && isStale),
  )
  return new Set(approvals.map(([id]) => id))
}
