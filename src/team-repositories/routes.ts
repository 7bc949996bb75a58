import { isSiteAdmin, type Context } from '../context.ts'
import { AppError, forbidden, invalid, notFound } from '../errors.ts'
import { noContent, ok } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { enterTeam, enterTeamFromWithin, type InTeam } from '../organizations/access.ts'
import { loadStanding, loadTeams } from '../organizations/load.ts'
import { canAdminister } from '../organizations/policy.ts'
import { presentTeam } from '../organizations/present.ts'
import type { Team } from '../organizations/team.ts'
import { reaches } from '../access-level.ts'
import { loadVisible } from '../repositories/load.ts'
import { presentRepository } from '../repositories/present.ts'
import { loadOfPath } from '../repositories/routes.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { findGivenTeams } from './queries.ts'
import { giveToTeam, takeFromTeam } from './share.ts'
import {
  orgAddTeamRepository,
  orgListTeamRepo,
  orgRemoveTeamRepository,
  repoAddTeam,
  repoCheckTeam,
  repoDeleteTeam,
  repoListTeams,
} from './schema.ts'

/** From the side of the team. */
export function teamRepositoryRoutes(api: Api, ctx: Context): void {
  const link = '/teams/:id/repos/:org/:repo'

  api.get(link, orgListTeamRepo, async (call) => {
    const { team, view } = await findLink(ctx, call, await enterTeam(ctx, call))
    if (!(await teamHas(ctx, team, view))) throw notFound()
    return ok(presentRepository(ctx.config, view))
  })

  api.put(link, orgAddTeamRepository, async (call) => {
    const { team, view } = await enterLinkToChange(ctx, call)
    await giveToTeam(ctx, team, view.repo)
    return noContent()
  })

  api.delete(link, orgRemoveTeamRepository, async (call) => {
    const { team, view } = await enterLinkToChange(ctx, call)
    await takeFromTeam(ctx, team, view.repo)
    return noContent()
  })
}

/** From the side of the repository. */
export function repositoryTeamRoutes(api: Api, ctx: Context): void {
  const teams = '/repos/:owner/:repo/teams'

  api.get(teams, repoListTeams, async (call) => {
    const view = await loadInOrganization(ctx, call)
    return ok((await teamsOf(ctx, view)).map((team) => presentTeam(team)))
  })

  api.get(`${teams}/:team`, repoCheckTeam, async (call) => {
    const view = await loadInOrganization(ctx, call)
    const team = await findNamed(ctx, call, view)
    if (!(await teamHas(ctx, team, view))) throw notFound()
    return ok(presentTeam(team))
  })

  api.put(`${teams}/:team`, repoAddTeam, async (call) => {
    const view = await loadChangeable(ctx, call)
    const team = await findNamed(ctx, call, view)
    const isGiven = !team.includesAllRepositories && (await giveToTeam(ctx, team, view.repo))
    if (!isGiven) throw invalid(`team '${team.name}' is already added to repo`)
    return noContent()
  })

  api.delete(`${teams}/:team`, repoDeleteTeam, async (call) => {
    const view = await loadChangeable(ctx, call)
    const team = await findNamed(ctx, call, view)
    const isTaken = await takeFromTeam(ctx, team, view.repo)
    if (!isTaken) throw invalid(`team '${team.name}' was not added to repo`)
    return noContent()
  })
}

interface Link extends InTeam {
  readonly view: RepositoryView
}

/** A team and a repository of the same organization. */
async function findLink(ctx: Context, call: Call, entered: InTeam): Promise<Link> {
  const path = { owner: call.param('org'), repo: call.param('repo') }
  const view = await loadVisible(ctx, entered.caller, path)
  if (view.repo.ownerId !== entered.org.id) throw notFound()
  return { ...entered, view }
}

async function enterLinkToChange(ctx: Context, call: Call): Promise<Link> {
  const link = await findLink(ctx, call, await enterTeamFromWithin(ctx, call))
  if (!reaches(link.view.access.level, 'admin')) {
    throw forbidden('Must have admin-level access to the repository')
  }
  if (!canAdminister(link.caller, link.standing) && !link.org.repoAdminChangeTeamAccess) {
    throw forbidden('Must be an organization owner')
  }
  return link
}

async function loadInOrganization(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  call.signedIn()
  if (view.owner.kind !== 'organization') {
    throw new AppError('method_not_allowed', 'repo is not owned by an organization')
  }
  return view
}

async function loadChangeable(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadInOrganization(ctx, call)
  const standing = await loadStanding(ctx, call.caller, view.owner)
  const administers = reaches(view.access.level, 'admin') && view.owner.repoAdminChangeTeamAccess
  if (!isSiteAdmin(call.caller) && !canAdminister(call.caller, standing) && !administers) {
    throw forbidden('user is nor repo admin nor owner')
  }
  return view
}

/** Owners first, then by name. */
async function teamsOf(ctx: Context, view: RepositoryView): Promise<readonly Team[]> {
  const given = await findGivenTeams(ctx.db, view.repo.id)
  const teams = await loadTeams(ctx, view.owner.id)
  return teams.filter((team) => team.includesAllRepositories || given.has(team.id))
}

async function teamHas(ctx: Context, team: Team, view: RepositoryView): Promise<boolean> {
  return team.includesAllRepositories || (await findGivenTeams(ctx.db, view.repo.id)).has(team.id)
}

async function findNamed(ctx: Context, call: Call, { owner }: RepositoryView): Promise<Team> {
  const name = call.param('team')
  const teams = await loadTeams(ctx, owner.id)
  const team = teams.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (!team) throw notFound(`team does not exist [org_id ${owner.id}, team_id 0, name: ${name}]`)
  return team
}
