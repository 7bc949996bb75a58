import type { Context, SignedInCaller } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { findAllById, loadPerson } from '../users/load.ts'
import { presentUser } from '../users/present.ts'
import {
  enterAsMember,
  enterAsOwner,
  enterTeam,
  enterTeamAsMember,
  enterTeamAsOwner,
} from './access.ts'
import { presentOrganization, presentTeam, readNewTeam, readTeamEdit } from './present.ts'
import type { Team } from './team.ts'
import { listTeams } from './team-queries.ts'
import {
  CreateTeamOption,
  EditTeamOption,
  orgAddTeamMember,
  orgCreateTeam,
  orgDeleteTeam,
  orgEditTeam,
  orgGetTeam,
  orgListTeamMember,
  orgListTeamMembers,
  orgListTeams,
  orgRemoveTeamMember,
  teamSearch,
  userListTeams,
  type TeamBody,
} from './team-schema.ts'
import {
  addTeamMember,
  createTeam,
  editTeam,
  listTeamsFor,
  loadTeamMember,
  removeTeam,
  removeTeamMember,
  teamMembersOf,
} from './teams.ts'

export function teamRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/orgs/:org/teams', orgListTeams, async (call) => {
    const entered = await enterAsMember(ctx, call)
    const found = await listTeamsFor(ctx, entered, call.page)
    return call.list(found, (team) => presentTeam(team))
  })

  api.get('/orgs/:org/teams/search', teamSearch, async (call) => {
    const entered = await enterAsMember(ctx, call)
    const text = call.query.text('q')
    const inDescriptions = call.query.optionalBoolean('include_desc') ?? true
    const found = await listTeamsFor(ctx, entered, call.page, { text, inDescriptions })
    return call.listOf(found, { ok: true, data: found.items.map((team) => presentTeam(team)) })
  })

  api.post('/orgs/:org/teams', orgCreateTeam, async (call) => {
    const { caller, org } = await enterAsOwner(ctx, call)
    const wanted = readNewTeam(await call.body(CreateTeamOption))
    const team = await createTeam(ctx, org, wanted)
    return created(presentTeam(team, presentOrganization(config, caller, org)))
  })

  api.get('/teams/:id', orgGetTeam, async (call) => {
    const { caller, org, team } = await enterTeam(ctx, call)
    return ok(presentTeam(team, presentOrganization(config, caller, org)))
  })

  api.patch('/teams/:id', orgEditTeam, async (call) => {
    const { team } = await enterTeamAsOwner(ctx, call)
    const edit = readTeamEdit(await call.body(EditTeamOption))
    return ok(presentTeam(await editTeam(ctx, team, edit)))
  })

  api.delete('/teams/:id', orgDeleteTeam, async (call) => {
    const { team } = await enterTeamAsOwner(ctx, call)
    await removeTeam(ctx, team)
    return noContent()
  })

  api.get('/user/teams', userListTeams, async (call) => {
    const caller = call.signedIn()
    const found = await listTeams(ctx.db, { memberId: caller.account.id }, call.page)
    const present = await presenterOf(ctx, caller, found.items)
    return call.list(found, present)
  })

  teamMemberRoutes(api, ctx)
}

function teamMemberRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/teams/:id/members', orgListTeamMembers, async (call) => {
    const { caller, team } = await enterTeamAsMember(ctx, call)
    const found = await teamMembersOf(ctx, caller, team, call.page)
    return call.list(found, (person) => presentUser(config, caller, person))
  })

  api.get('/teams/:id/members/:username', orgListTeamMember, async (call) => {
    const { caller, team } = await enterTeamAsMember(ctx, call)
    const person = await loadTeamMember(ctx, caller, team, call.param('username'))
    return ok(presentUser(config, caller, person))
  })

  api.put('/teams/:id/members/:username', orgAddTeamMember, async (call) => {
    const { caller, team } = await enterTeamAsOwner(ctx, call)
    await addTeamMember(ctx, team, await loadPerson(ctx, caller, call.param('username')))
    return noContent()
  })

  api.delete('/teams/:id/members/:username', orgRemoveTeamMember, async (call) => {
    const { caller, team } = await enterTeamAsOwner(ctx, call)
    await removeTeamMember(ctx, team, await loadPerson(ctx, caller, call.param('username')))
    return noContent()
  })
}

/** Shows teams of several organizations, which are fetched at once. */
async function presenterOf(
  ctx: Context,
  caller: SignedInCaller,
  teams: readonly Team[],
): Promise<(team: Team) => TeamBody> {
  const orgs = await findAllById(
    ctx.db,
    teams.map(({ orgId }) => orgId),
  )
  return (team) => {
    const org = orgs.get(team.orgId)
    return presentTeam(team, org ? presentOrganization(ctx.config, caller, org) : null)
  }
}
