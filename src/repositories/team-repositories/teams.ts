import { reaches } from '../../platform/access-level.ts'
import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import { forbidden, invalid, notFound } from '../../platform/errors.ts'
import { loadStanding, loadTeams } from '../../identity/organizations/load.ts'
import { canAdminister } from '../../identity/organizations/policy.ts'
import type { Team } from '../../identity/organizations/team.ts'
import type { RepositoryView } from '../repository/view.ts'
import { findGivenTeams } from './queries.ts'
import { giveToTeam, takeFromTeam } from './share.ts'

/** The teams that have a repository: Owners first, then by name. */
export async function teamsOf(ctx: Context, view: RepositoryView): Promise<readonly Team[]> {
  const given = await findGivenTeams(ctx.db, view.repo.id)
  const teams = await loadTeams(ctx, view.owner.id)
  return teams.filter((team) => team.includesAllRepositories || given.has(team.id))
}

export async function teamHas(ctx: Context, team: Team, view: RepositoryView): Promise<boolean> {
  return team.includesAllRepositories || (await findGivenTeams(ctx.db, view.repo.id)).has(team.id)
}

export async function loadNamedTeam(
  ctx: Context,
  { owner }: RepositoryView,
  name: string,
): Promise<Team> {
  const teams = await loadTeams(ctx, owner.id)
  const team = teams.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (!team) throw notFound(`team does not exist [org_id ${owner.id}, team_id 0, name: ${name}]`)
  return team
}

/** Owners of the organization; who administers the repository where the organization lets them. */
export async function mayChangeTeams(
  ctx: Context,
  caller: Caller,
  { owner, access }: RepositoryView,
): Promise<boolean> {
  const administers = reaches(access.level, 'admin') && owner.repoAdminChangeTeamAccess
  if (isSiteAdmin(caller) || administers) return true
  return canAdminister(caller, await loadStanding(ctx, caller, owner))
}

export async function assertMayChangeTeams(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
): Promise<void> {
  if (!(await mayChangeTeams(ctx, caller, view)))
    throw forbidden('user is nor repo admin nor owner')
}

export async function addTeam(ctx: Context, view: RepositoryView, name: string): Promise<void> {
  const team = await loadNamedTeam(ctx, view, name)
  const isGiven = !team.includesAllRepositories && (await giveToTeam(ctx, team, view.repo))
  if (!isGiven) throw invalid(`team '${team.name}' is already added to repo`)
}

export async function dropTeam(ctx: Context, view: RepositoryView, name: string): Promise<void> {
  const team = await loadNamedTeam(ctx, view, name)
  const isTaken = await takeFromTeam(ctx, team, view.repo)
  if (!isTaken) throw invalid(`team '${team.name}' was not added to repo`)
}
