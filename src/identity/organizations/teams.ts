import { logRightsChange } from '../../platform/audit.ts'
import type { Caller, Context } from '../../platform/context.ts'
import { flag, type Visibility } from '../../platform/db/columns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { holdUnblocked } from '../followers/block.ts'
import type { Account } from '../users/account.ts'
import type { SeenOrganization } from './access.ts'
import { assertOwnerLeft, holdMemberships, holdOrganization } from './hold.ts'
import { withinToken } from './members.ts'
import { canAdminister, canSeeMembers } from './policy.ts'
import { deleteMembersWithoutTeam, insertMember } from './queries.ts'
import { editedRights, newRights, type WantedRights } from './rights.ts'
import { isOwnersTeam, type Team } from './team.ts'
import {
  deleteTeam,
  deleteTeamMember,
  findTeam,
  findTeamMember,
  insertTeam,
  insertTeamMember,
  listTeamMembers,
  listTeams,
  updateTeam,
  type TeamFilter,
} from './team-queries.ts'

/** The teams that the caller may read: Owners first, then by name. */
export async function listTeamsFor(
  ctx: Context,
  seen: SeenOrganization,
  page: Page,
  wanted: Pick<TeamFilter, 'text' | 'inDescriptions'> = {},
): Promise<PageOf<Team>> {
  return listTeams(ctx.db, { ...teamsFor(seen), ...wanted }, page)
}

/**
 * Owners and administrators see every team, other members what is shown to members, and their own;
 * others what is public.
 */
function teamsFor({ caller, org, standing }: SeenOrganization): TeamFilter {
  if (canAdminister(caller, standing)) return { orgId: org.id }
  if (!canSeeMembers(caller, standing)) return { orgId: org.id, visibility: 'public' }
  return { orgId: org.id, seenBy: caller.account?.id }
}

interface TeamProperties {
  readonly description?: string | undefined
  readonly rights: WantedRights
  readonly includesAllRepositories?: boolean | undefined
  readonly canCreateOrgRepo?: boolean | undefined
  readonly visibility?: Visibility | undefined
}

export interface NewTeam extends TeamProperties {
  readonly name: string
}

/** `undefined` leaves a field as it is. */
export interface TeamEdit extends TeamProperties {
  readonly name?: string | undefined
}

export async function createTeam(ctx: Context, org: Account, wanted: NewTeam): Promise<Team> {
  assertTeamNameAllowed(wanted.name)
  const { access, units } = newRights(wanted.rights)
  const team = await ctx.db.transaction().execute(async (tx) => {
    await holdOrganization(ctx, tx, org.id)
    const row = {
      org_id: org.id,
      name: wanted.name,
      lower_name: wanted.name.toLowerCase(),
      description: wanted.description ?? '',
      access,
      includes_all_repositories: flag(wanted.includesAllRepositories ?? false),
      can_create_org_repo: flag(wanted.canCreateOrgRepo ?? false),
      visibility: wanted.visibility ?? 'private',
    }
    return insertTeam(tx, row, units)
  })
  logTeam(ctx, 'team added', team)
  return team
}

/** All of `edit` is applied, or none of it. */
export async function editTeam(ctx: Context, { id, orgId }: Team, edit: TeamEdit): Promise<Team> {
  if (edit.name !== undefined) assertTeamNameAllowed(edit.name)
  const changed = await ctx.db.transaction().execute(async (tx) => {
    const team = await holdTeam(ctx, tx, { id, orgId })
    const allowed = isOwnersTeam(team) ? ofOwners(team, edit) : edit
    const { access, units } = editedRights(team, allowed.rights)
    const name = allowed.name ?? team.name
    const row = {
      org_id: orgId,
      name,
      lower_name: name.toLowerCase(),
      description: allowed.description ?? team.description,
      access,
      includes_all_repositories: flag(
        allowed.includesAllRepositories ?? team.includesAllRepositories,
      ),
      can_create_org_repo: flag(allowed.canCreateOrgRepo ?? team.canCreateOrgRepo),
      visibility: allowed.visibility ?? team.visibility,
    }
    const edited = await updateTeam(tx, id, row, units)
    const hasAll = edited.includesAllRepositories
    if (hasAll && !team.includesAllRepositories) await ctx.above.onTeamGain(ctx, tx, { teamId: id })
    if (!hasAll && team.includesAllRepositories) await ctx.above.onTeamLoss(tx, { orgId })
    return edited
  })
  logTeam(ctx, 'team edited', changed)
  return changed
}

/** Whoever is in no other team leaves the organization. */
export async function removeTeam(ctx: Context, { id, orgId }: Team): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const team = await holdTeam(ctx, tx, { id, orgId })
    if (isOwnersTeam(team)) throw invalid('the team of owners cannot be deleted')
    await deleteTeam(tx, id)
    await deleteMembersWithoutTeam(tx, orgId)
    await ctx.above.onTeamLoss(tx, { orgId })
  })
  logTeam(ctx, 'team removed', { id, orgId })
}

export async function addTeamMember(ctx: Context, team: Team, person: Account): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await holdMemberships(ctx, tx, person.id)
    const { id, orgId } = await holdTeam(ctx, tx, team)
    await holdUnblocked(ctx, tx, { from: orgId, to: person.id })
    const joins = await insertTeamMember(tx, id, person.id)
    await insertMember(tx, orgId, person.id)
    if (joins) await ctx.above.onTeamGain(ctx, tx, { teamId: id, accountId: person.id })
  })
  logTeam(ctx, 'team member added', team, { account: person.name })
}

export async function teamMembersOf(
  ctx: Context,
  caller: Caller,
  { id }: Team,
  page: Page,
): Promise<PageOf<Account>> {
  return listTeamMembers(ctx.db, { teamId: id, visible: withinToken(caller) }, page)
}

export async function loadTeamMember(
  ctx: Context,
  caller: Caller,
  { id }: Team,
  name: string,
): Promise<Account> {
  const member = await findTeamMember(ctx.db, { teamId: id, visible: withinToken(caller) }, name)
  if (!member) throw notFound()
  return member
}

/** Whoever was in no other team leaves the organization. */
export async function removeTeamMember(ctx: Context, team: Team, person: Account): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const { id, orgId } = await holdTeam(ctx, tx, team)
    await deleteTeamMember(tx, id, person.id)
    await deleteMembersWithoutTeam(tx, orgId)
    await assertOwnerLeft(tx, orgId)
    await ctx.above.onTeamLoss(tx, { orgId, accountId: person.id })
  })
  logTeam(ctx, 'team member removed', team, { account: person.name })
}

function logTeam(
  { log }: Context,
  what: string,
  { id, orgId, name, access }: Pick<Team, 'id' | 'orgId'> & Partial<Team>,
  details: Readonly<Record<string, unknown>> = {},
): void {
  logRightsChange(log, what, { team: id, teamName: name, organization: orgId, access, ...details })
}

/** The team as it is now, which stays so until the transaction ends. */
export async function holdTeam(
  ctx: Context,
  tx: Executor,
  { id, orgId }: Pick<Team, 'id' | 'orgId'>,
): Promise<Team> {
  await holdOrganization(ctx, tx, orgId)
  const team = await findTeam(tx, id)
  if (!team) throw notFound()
  return team
}

/**
 * Owners lose nothing by an edit: what it says beyond the description is passed over, another name
 * refused.
 */
function ofOwners(owners: Team, { name, description }: TeamEdit): TeamEdit {
  if (name !== undefined && name !== owners.name) {
    throw invalid('the team of owners cannot be renamed')
  }
  return { description, rights: {} }
}

/** `/org/{name}/teams/new` is the address of a form. */
function assertTeamNameAllowed(name: string): void {
  if (name.toLowerCase() === 'new')
    throw invalid(`name is reserved [name: ${name}]`, { reason: 'name_reserved' })
}
