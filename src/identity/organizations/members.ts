import { logRightsChange } from '../../platform/audit.ts'
import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { isVisibleTo } from '../users/visibility.ts'
import { assertOwnerLeft, holdOrganization } from './hold.ts'
import { canAdminister, canSeeMembers, isMember, type Standing } from './policy.ts'
import type { InOrganization, SeenOrganization } from './access.ts'
import {
  deleteMembersWithoutTeam,
  findMemberships,
  listMembers,
  updateMember,
  type MemberFilter,
  type Membership,
} from './queries.ts'
import { deleteFromAllTeams } from './team-queries.ts'

/**
 * The members that the caller may know of. Restricted members know those who show it and those they
 * work with; who is no member sees no more of a person than elsewhere.
 */
export function membersFor(
  ctx: Context,
  caller: Caller,
  org: Account,
  standing: Standing,
): MemberFilter {
  const { account } = caller
  if (!account || !canSeeMembers(caller, standing)) return publicMembersFor(ctx, caller, org)
  const { id, isRestricted, isAdmin } = account
  const concealed = isRestricted && !isAdmin ? { unlessTeamMateOf: id } : 'included'
  return { orgId: org.id, concealed, visible: withinToken(caller) }
}

export function publicMembersFor(ctx: Context, caller: Caller, org: Account): MemberFilter {
  const visible = withinToken(caller) ?? isVisibleTo(ctx.config, caller)
  return { orgId: org.id, concealed: 'left out', visible }
}

/** Those of them on one page. */
export async function listMembersFor(
  ctx: Context,
  { caller, org, standing }: SeenOrganization,
  page: Page,
): Promise<PageOf<Account>> {
  return listMembers(ctx.db, membersFor(ctx, caller, org, standing), page)
}

/** What these members are, by the id of each. */
export async function membershipsOf(
  ctx: Context,
  org: Account,
  people: readonly Account[],
): Promise<ReadonlyMap<number, Membership>> {
  const ids = people.map(({ id }) => id)
  return findMemberships(ctx.db, org.id, ids)
}

/** A public-only token knows public people. */
export function withinToken({ publicOnly }: Caller): MemberFilter['visible'] {
  return publicOnly ? (eb) => eb('account.visibility', '=', 'public') : undefined
}

/** Takes somebody out of all teams, and with that out of the organization. */
export async function removeMember(ctx: Context, org: Account, person: Account): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await holdOrganization(ctx, tx, org.id)
    await deleteFromAllTeams(tx, org.id, person.id)
    await deleteMembersWithoutTeam(tx, org.id)
    await assertOwnerLeft(tx, org.id)
    await ctx.above.onTeamLoss(tx, { orgId: org.id, accountId: person.id })
  })
  const details = { organization: org.name, account: person.name }
  logRightsChange(ctx.log, 'organization member removed', details)
}

export async function leaveOrganization(ctx: Context, entered: InOrganization): Promise<void> {
  const { caller, org, standing } = entered
  if (!isMember(standing)) throw forbidden('Must be an organization member')
  await removeMember(ctx, org, caller.account)
}

/** Whether a membership is shown is for owners to say, and for each member of their own. */
export function mayShowMember(caller: Caller, standing: Standing, person: Account): boolean {
  if (canAdminister(caller, standing)) return true
  return isMember(standing) && caller.account?.id === person.id
}

export function assertMayShowMember(
  caller: SignedInCaller,
  standing: Standing,
  person: Account,
): void {
  if (mayShowMember(caller, standing, person)) return
  if (!isMember(standing)) throw forbidden('Must be an organization member')
  throw forbidden('Cannot change member visibility')
}

/** Without effect on who is no member. */
export async function showMember(
  ctx: Context,
  org: Account,
  person: Account,
  { isPublic }: { isPublic: boolean },
): Promise<void> {
  await updateMember(ctx.db, org.id, person.id, { isPublic })
}
