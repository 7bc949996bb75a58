import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import { forbidden, notFound, type AppError } from '../../platform/errors.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Account } from '../users/account.ts'
import { loadForMembers, loadOrganization, loadStanding, loadTeam } from './load.ts'
import { canAdminister, canReadTeam, canSeeMembers, isMember, type Standing } from './policy.ts'
import type { Team } from './team.ts'

/** An organization that somebody sees, and what they are in it. */
export interface SeenOrganization {
  readonly caller: Caller
  readonly org: Account
  readonly standing: Standing
}

/** What a path below /orgs/{org} needs of its caller once the organization has been found. */
export interface InOrganization extends SeenOrganization {
  readonly caller: SignedInCaller
}

export interface InTeam extends InOrganization {
  readonly team: Team
}

export async function enterOrganization(ctx: Context, call: Call): Promise<InOrganization> {
  const org = await loadForMembers(ctx, call.caller, call.param('org'))
  const caller = call.signedIn()
  return { caller, org, standing: await loadStanding(ctx, caller, org) }
}

export async function enterAsMember(ctx: Context, call: Call): Promise<InOrganization> {
  const entered = await enterOrganization(ctx, call)
  assertMember(entered)
  return entered
}

export async function enterAsOwner(ctx: Context, call: Call): Promise<InOrganization> {
  const entered = await enterOrganization(ctx, call)
  assertOwner(entered)
  return entered
}

export async function loadSeen<Who extends Caller>(
  ctx: Context,
  caller: Who,
  name: string,
): Promise<SeenOrganization & { readonly caller: Who }> {
  const org = await loadOrganization(ctx, caller, name)
  return { caller, org, standing: await loadStanding(ctx, caller, org) }
}

/** For those who own it. */
export async function loadOwned(
  ctx: Context,
  caller: SignedInCaller,
  name: string,
): Promise<InOrganization> {
  const entered = await loadSeen(ctx, caller, name)
  assertOwner(entered)
  return entered
}

/** Strangers do not learn that there is a team which they may not read. */
export async function enterTeam(ctx: Context, call: Call): Promise<InTeam> {
  const entered = await findWay(ctx, call)
  const { caller, standing, team } = entered
  if (!canReadTeam(caller, standing, team)) throw notInTeam(entered)
  return entered
}

/** For what takes more than to see the team: to be in it, or to own the organization. */
export async function enterTeamFromWithin(ctx: Context, call: Call): Promise<InTeam> {
  const entered = await findWay(ctx, call)
  const { caller, standing, team } = entered
  if (!standing.teamIds.has(team.id) && !canAdminister(caller, standing)) throw notInTeam(entered)
  return entered
}

/** Who is in a team is for members of the organization, also where the team itself is public. */
export async function enterTeamAsMember(ctx: Context, call: Call): Promise<InTeam> {
  const entered = await enterTeam(ctx, call)
  assertMember(entered)
  return entered
}

export async function enterTeamAsOwner(ctx: Context, call: Call): Promise<InTeam> {
  const entered = await findWay(ctx, call)
  assertOwner(entered)
  return entered
}

async function findWay(ctx: Context, call: Call): Promise<InTeam> {
  const { team, org } = await loadTeam(ctx, call.caller, call.id('id'))
  const caller = call.signedIn()
  return { caller, org, team, standing: await loadStanding(ctx, caller, org) }
}

function notInTeam({ standing }: InTeam): AppError {
  return isMember(standing) ? forbidden('Must be a team member') : notFound()
}

function assertMember({ caller, standing }: InOrganization): void {
  if (!canSeeMembers(caller, standing)) throw forbidden('Must be an organization member')
}

function assertOwner({ caller, standing }: InOrganization): void {
  if (!canAdminister(caller, standing)) throw forbidden('Must be an organization owner')
}
