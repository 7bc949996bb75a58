import { logRightsChange } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import type { Team } from '../../identity/organizations/team.ts'
import { holdTeam } from '../../identity/organizations/teams.ts'
import { holdUnmoved } from '../repository/hold.ts'
import type { Repository } from '../repository/repository.ts'
import { endLostWatches, watchThroughTeam } from '../repository/team-watches.ts'
import { deleteTeamRepository, insertTeamRepository } from './queries.ts'

/** False when the team had it already. */
export async function giveToTeam(ctx: Context, team: Team, repo: Repository): Promise<boolean> {
  const isNew = await ctx.db.transaction().execute(async (tx) => {
    const { includesAllRepositories } = await holdTeam(ctx, tx, team)
    await holdUnmoved(ctx, tx, repo)
    const isGiven = await insertTeamRepository(tx, team.id, repo.id)
    if (!isGiven || includesAllRepositories) return false
    await watchThroughTeam(ctx, tx, { teamId: team.id, repositoryId: repo.id })
    return true
  })
  if (isNew) logRightsChange(ctx.log, 'team repository added', { team: team.id, ...named(repo) })
  return isNew
}

/** False when the team did not have it. */
export async function takeFromTeam(ctx: Context, team: Team, repo: Repository): Promise<boolean> {
  const isGone = await ctx.db.transaction().execute(async (tx) => {
    await holdTeam(ctx, tx, team)
    if (!(await deleteTeamRepository(tx, team.id, repo.id))) return false
    await endLostWatches(tx, { orgId: team.orgId, repositoryId: repo.id })
    return true
  })
  if (isGone) {
    logRightsChange(ctx.log, 'team repository removed', { team: team.id, ...named(repo) })
  }
  return isGone
}

function named({ id, name }: Repository): { repository: number; repositoryName: string } {
  return { repository: id, repositoryName: name }
}
