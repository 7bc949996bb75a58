import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { contains } from '../../platform/db/like.ts'
import {
  fetchOrderedPage,
  fetchPage,
  mapPage,
  type Page,
  type PageOf,
} from '../../platform/db/page.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { toAccount, type Account } from '../users/account.ts'
import { keysOf, type AccountOrder } from '../users/order.ts'
import type { AccountCondition } from '../users/queries.ts'

function visibleOrganizations(db: Executor, visible: AccountCondition) {
  return db
    .selectFrom('account')
    .selectAll('account')
    .where('account.kind', '=', 'organization')
    .where(visible)
}

/** The organization of this name, when `visible` leaves it over. */
export async function findOrganization(
  db: Executor,
  name: string,
  visible: AccountCondition,
): Promise<Account | undefined> {
  const row = await visibleOrganizations(db, visible)
    .where('account.lower_name', '=', name.toLowerCase())
    .executeTakeFirst()
  return row && toAccount(row)
}

export async function findOrganizationById(
  db: Executor,
  id: number,
  visible: AccountCondition,
): Promise<Account | undefined> {
  const row = await visibleOrganizations(db, visible)
    .where('account.id', '=', id)
    .executeTakeFirst()
  return row && toAccount(row)
}

/** The organization that had this name before. */
export async function findRenamedOrganization(
  db: Executor,
  name: string,
  visible: AccountCondition,
): Promise<Account | undefined> {
  const row = await visibleOrganizations(db, visible)
    .where('account.id', 'in', (eb) =>
      eb
        .selectFrom('account_redirect')
        .select('account_id')
        .where('account_redirect.lower_name', '=', name.toLowerCase()),
    )
    .executeTakeFirst()
  return row && toAccount(row)
}

export async function organizationExists(db: Executor, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('kind', '=', 'organization')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

export async function countOrganizations(db: Executor): Promise<number> {
  const { count } = await db
    .selectFrom('account')
    .select(sql<number>`count(*)`.as('count'))
    .where('kind', '=', 'organization')
    .executeTakeFirstOrThrow()
  return count
}

export interface OrganizationFilter {
  /** Part of a name or a full name. */
  readonly text?: string | undefined
  readonly visibilities?: readonly Visibility[] | undefined
  readonly visible?: AccountCondition | undefined
  readonly memberId?: number | undefined
  /** Of the memberships, only those that are shown to everybody. */
  readonly publicMembership?: boolean | undefined
  readonly order?: AccountOrder | undefined
}

/** By name unless asked for otherwise. */
export async function listOrganizations(
  db: Executor,
  filter: OrganizationFilter,
  page: Page,
): Promise<PageOf<Account>> {
  const { text, visibilities, visible, memberId, publicMembership, order = 'name' } = filter
  let query = db
    .selectFrom('account')
    .selectAll('account')
    .where('account.kind', '=', 'organization')
  if (text) query = query.where(isNamed(text))
  if (visibilities) query = query.where('account.visibility', 'in', visibilities)
  if (visible) query = query.where(visible)
  if (memberId !== undefined) {
    query = query.where('account.id', 'in', (eb) => {
      const own = eb.selectFrom('organization_member').select('org_id')
      const of = own.where('account_id', '=', memberId)
      return publicMembership ? of.where('is_public', '=', 1) : of
    })
  }
  return mapPage(await fetchOrderedPage(query, keysOf(order), page), toAccount)
}

function isNamed(text: string): AccountCondition {
  const lower = text.toLowerCase()
  return (eb) =>
    eb.or([
      contains(sql.ref('account.lower_name'), lower),
      contains(sql.ref('account.lower_full_name'), lower),
    ])
}

export async function updateOrganization(
  db: Executor,
  id: number,
  changes: Changes<'account'>,
): Promise<Account | undefined> {
  const row = await db
    .updateTable('account')
    .set(changes)
    .where('kind', '=', 'organization')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toAccount(row)
}

/**
 * Which members of an organization: all, or those who show it, or also those in a team with
 * somebody.
 */
export interface MemberFilter {
  readonly orgId: number
  readonly concealed: 'included' | 'left out' | { readonly unlessTeamMateOf: number }
  readonly visible?: AccountCondition | undefined
}

/** By name. */
export async function listMembers(
  db: Executor,
  filter: MemberFilter,
  page: Page,
): Promise<PageOf<Account>> {
  const query = members(db, filter).orderBy('account.lower_name')
  return mapPage(await fetchPage(query, page), toAccount)
}

/** By the id of each organization that has any. */
export async function countMembers(
  db: Executor,
  orgIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (orgIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('organization_member')
    .select(['org_id', sql<number>`count(*)`.as('count')])
    .where('org_id', 'in', orgIds)
    .groupBy('org_id')
    .execute()
  return new Map(rows.map((row) => [row.org_id, row.count]))
}

/** Whether `name` is among the members that `filter` leaves over. */
export async function isAmongMembers(
  db: Executor,
  filter: MemberFilter,
  name: string,
): Promise<boolean> {
  const row = await members(db, filter)
    .where('account.lower_name', '=', name.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

function members(db: Executor, { orgId, concealed, visible }: MemberFilter) {
  let query = db
    .selectFrom('account')
    .selectAll('account')
    .where('account.id', 'in', (eb) => {
      const all = eb.selectFrom('organization_member').select('account_id')
      const own = all.where('org_id', '=', orgId)
      if (concealed === 'included') return own
      if (concealed === 'left out') return own.where('is_public', '=', 1)
      return own.where((membership) =>
        membership.or([
          membership('is_public', '=', 1),
          membership('account_id', 'in', teamMates(db, orgId, concealed.unlessTeamMateOf)),
        ]),
      )
    })
  if (visible) query = query.where(visible)
  return query
}

export interface Membership {
  readonly isOwner: boolean
  /** Shown to everybody. */
  readonly isPublic: boolean
}

/** By the id of the member. */
export async function findMemberships(
  db: Executor,
  orgId: number,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, Membership>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('organization_member')
    .select(['account_id', 'is_public'])
    .select((eb) => eb('account_id', 'in', owners(db, orgId)).as('is_owner'))
    .where('org_id', '=', orgId)
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(
    rows.map((row) => [
      row.account_id,
      { isOwner: Boolean(row.is_owner), isPublic: row.is_public === 1 },
    ]),
  )
}

function owners(db: Executor, orgId: number) {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team_member.account_id')
    .where('team.org_id', '=', orgId)
    .where('team.access', '=', 'owner')
}

/** Everybody who is in a team of the organization with this account, itself included. */
function teamMates(db: Executor, orgId: number, accountId: number) {
  return db
    .selectFrom('team_member as mate')
    .innerJoin('team_member as own', 'own.team_id', 'mate.team_id')
    .innerJoin('team', 'team.id', 'mate.team_id')
    .select('mate.account_id')
    .where('team.org_id', '=', orgId)
    .where('own.account_id', '=', accountId)
}

/** New members do not show it; who is one already stays as they are. */
export async function insertMember(db: Executor, orgId: number, accountId: number): Promise<void> {
  await db
    .insertInto('organization_member')
    .values({ org_id: orgId, account_id: accountId, is_public: 0 })
    .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doNothing())
    .execute()
}

export async function updateMember(
  db: Executor,
  orgId: number,
  accountId: number,
  { isPublic }: { isPublic: boolean },
): Promise<void> {
  await db
    .updateTable('organization_member')
    .set({ is_public: isPublic ? 1 : 0 })
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .execute()
}

/** Whoever is in no team of the organization any more is no member of it. */
export async function deleteMembersWithoutTeam(db: Executor, orgId: number): Promise<void> {
  await db
    .deleteFrom('organization_member')
    .where('org_id', '=', orgId)
    .where('account_id', 'not in', (eb) =>
      eb
        .selectFrom('team_member')
        .innerJoin('team', 'team.id', 'team_member.team_id')
        .select('team_member.account_id')
        .where('team.org_id', '=', orgId),
    )
    .execute()
}

export async function countOwners(db: Executor, orgId: number): Promise<number> {
  const { count } = await owners(db, orgId)
    .clearSelect()
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
