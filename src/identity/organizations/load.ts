import type { Caller, Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, Moved, notFound } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import type { AccountCondition } from '../users/queries.ts'
import { isVisibleTo } from '../users/visibility.ts'
import { stranger, type Standing } from './policy.ts'
import { findOrganization, findOrganizationById, findRenamedOrganization } from './queries.ts'
import type { Team } from './team.ts'
import { findStanding, findTeam, findTeams, listTeams } from './team-queries.ts'

/** The organization of the path, as the caller may see it; a renamed one sends the caller on. */
export async function loadOrganization(
  ctx: Context,
  caller: Caller,
  name: string,
): Promise<Account> {
  return loadAmong(ctx, caller, name, isVisibleTo(ctx.config, caller))
}

/**
 * Like `loadOrganization` where the caller has to sign in anyway: a limited organization is for
 * everybody who does, so the anonymous are asked to rather than told that there is none.
 */
export async function loadForMembers(ctx: Context, caller: Caller, name: string): Promise<Account> {
  return loadAmong(ctx, caller, name, isVisibleOnceSignedIn(ctx, caller))
}

function isVisibleOnceSignedIn(ctx: Context, caller: Caller): AccountCondition {
  if (caller.account) return isVisibleTo(ctx.config, caller)
  return (eb) => eb('account.visibility', '<>', 'private')
}

async function loadAmong(
  ctx: Context,
  caller: Caller,
  name: string,
  visible: AccountCondition,
): Promise<Account> {
  const org = await findOrganization(ctx.db, name, visible)
  if (!org) {
    const renamed = await findRenamedOrganization(ctx.db, name, visible)
    throw renamed ? new Moved('account', [{ from: name, to: renamed.name }]) : notFound()
  }
  assertWithinToken(caller, org)
  return org
}

/**
 * A team whose organization the caller may see; whether the team itself may be read is another
 * question.
 */
export async function loadTeam(
  ctx: Context,
  caller: Caller,
  id: number,
): Promise<{ team: Team; org: Account }> {
  const team = await findTeam(ctx.db, id)
  const org =
    team && (await findOrganizationById(ctx.db, team.orgId, isVisibleOnceSignedIn(ctx, caller)))
  if (!org) throw notFound()
  assertWithinToken(caller, org)
  return { team, org }
}

/** Each id once; ids of no team are left out. */
export async function findTeamsById(
  db: Executor,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Team>> {
  const teams = await findTeams(db, [...new Set(ids)])
  return new Map(teams.map((team) => [team.id, team]))
}

/** All teams of an organization, Owners first, then by name. */
export async function loadTeams(ctx: Context, orgId: number): Promise<readonly Team[]> {
  const everything = { number: 1, limit: Number.MAX_SAFE_INTEGER, offset: 0 }
  return (await listTeams(ctx.db, { orgId }, everything)).items
}

export async function loadStanding(
  { db }: { readonly db: Executor },
  { account }: Caller,
  { id }: Pick<Account, 'id'>,
): Promise<Standing> {
  return account ? findStanding(db, id, account.id) : stranger
}

/** A public-only token reaches public organizations. */
export function assertWithinToken(caller: Caller, org: Account): void {
  if (caller.publicOnly && org.visibility !== 'public') {
    throw forbidden('token scope is limited to public orgs')
  }
}
