import type { Context } from '../../platform/context.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { enterTeam, enterTeamFromWithin, type InTeam } from '../../identity/organizations/access.ts'
import { canAdminister } from '../../identity/organizations/policy.ts'
import { presentTeam } from '../../identity/organizations/present.ts'
import { reaches } from '../../platform/access-level.ts'
import { loadVisible } from '../repository/load.ts'
import { presentRepository } from '../repository/present.ts'
import { loadOfPath } from '../repository/routes.ts'
import type { RepositoryView } from '../repository/view.ts'
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
import {
  addTeam,
  assertMayChangeTeams,
  dropTeam,
  loadNamedTeam,
  teamHas,
  teamsOf,
} from './teams.ts'

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
    const team = await loadNamedTeam(ctx, view, call.param('team'))
    if (!(await teamHas(ctx, team, view))) throw notFound()
    return ok(presentTeam(team))
  })

  api.put(`${teams}/:team`, repoAddTeam, async (call) => {
    const view = await loadChangeable(ctx, call)
    await addTeam(ctx, view, call.param('team'))
    return noContent()
  })

  api.delete(`${teams}/:team`, repoDeleteTeam, async (call) => {
    const view = await loadChangeable(ctx, call)
    await dropTeam(ctx, view, call.param('team'))
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
  await assertMayChangeTeams(ctx, call.caller, view)
  return view
}
