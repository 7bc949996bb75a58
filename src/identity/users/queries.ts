import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { isSiteAdmin, type Caller } from '../../platform/context.ts'
import { isDuplicate, type Dialect, type Executor } from '../../platform/db/database.ts'
import { contains } from '../../platform/db/like.ts'
import { fetchOrderedPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import type { Changes, NewRow, Row, Schema } from '../../platform/db/schema.ts'
import { statement, statementForIds } from '../../platform/db/statement.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { keysOf, type AccountOrder } from './order.ts'
import { toAccount, type Account } from './account.ts'

export type AccountCondition = (eb: ExpressionBuilder<Schema, 'account'>) => Expression<SqlBool>

export async function findAccount(db: Executor, id: number): Promise<Account | undefined> {
  const row = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAccount(row)
}

const accountsOf = statementForIds<Row<'account'>>('SELECT * FROM account WHERE id IN (*)')

export async function findAccounts(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Account>> {
  if (ids.length === 0) return new Map()
  const rows = await accountsOf(db, ids)
  return new Map(rows.map((row) => [row.id, toAccount(row)]))
}

/** By their names in lower case. */
export async function findPeople(
  db: Executor,
  lowerNames: readonly string[],
): Promise<ReadonlyMap<string, Account>> {
  if (lowerNames.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .selectAll()
    .where('lower_name', 'in', lowerNames)
    .where('kind', '=', 'person')
    .execute()
  return new Map(rows.map((row) => [row.lower_name, toAccount(row)]))
}

const selectByName = statement<Row<'account'>>('SELECT * FROM account WHERE lower_name = ?')

export async function findAccountByName(db: Executor, name: string): Promise<Account | undefined> {
  const [row] = await selectByName(db, name.toLowerCase())
  return row && toAccount(row)
}

/** What the account that was called `name` is called now. */
export async function findNewName(db: Executor, name: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom('account_redirect')
    .innerJoin('account', 'account.id', 'account_redirect.account_id')
    .selectAll('account')
    .where('account_redirect.lower_name', '=', name.toLowerCase())
    .executeTakeFirst()
  return row && toAccount(row)
}

/** Whoever takes a name ends its redirect. */
export async function insertAccount(db: Executor, account: NewRow<'account'>): Promise<Account> {
  try {
    const row = await db
      .insertInto('account')
      .values(account)
      .returningAll()
      .executeTakeFirstOrThrow()
    await db.deleteFrom('account_redirect').where('lower_name', '=', account.lower_name).execute()
    return toAccount(row)
  } catch (error) {
    if (isDuplicate(error)) throw nameTaken(account.name, error)
    throw error
  }
}

export async function updateAccount(
  db: Executor,
  id: number,
  changes: Changes<'account'>,
): Promise<Account> {
  const row = await db
    .updateTable('account')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  // Deleted since it was loaded.
  if (!row) throw notFound()
  return toAccount(row)
}

/** Gives an account another name; the old one leads to it. */
export async function updateAccountName(
  db: Executor,
  account: Account,
  name: string,
  now: number,
): Promise<void> {
  const lowerName = name.toLowerCase()
  try {
    await updateAccount(db, account.id, { name, lower_name: lowerName, updated_at: now })
  } catch (error) {
    if (isDuplicate(error)) throw nameTaken(name, error)
    throw error
  }
  await db.deleteFrom('account_redirect').where('lower_name', '=', lowerName).execute()
  const oldName = account.name.toLowerCase()
  if (oldName === lowerName) return
  await db
    .insertInto('account_redirect')
    .values({ lower_name: oldName, account_id: account.id })
    .onConflict((conflict) => conflict.column('lower_name').doUpdateSet({ account_id: account.id }))
    .execute()
}

/** From now on nothing new hangs on them, and what somebody was hanging there is to be seen. */
export async function holdAccounts(
  dialect: Dialect,
  tx: Executor,
  ids: readonly number[],
): Promise<void> {
  if (dialect === 'sqlite') return
  await tx
    .selectFrom('account')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function deleteAccounts(db: Executor, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('account').where('id', 'in', ids).execute()
}

/** Whether anybody has an account yet: while nobody has, the server offers to create the first. */
export async function hasAccounts(db: Executor): Promise<boolean> {
  const row = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

export async function countAdmins(db: Executor): Promise<number> {
  const { count } = await db
    .selectFrom('account')
    .select(sql<number>`count(*)`.as('count'))
    .where('kind', '=', 'person')
    .where('is_admin', '=', 1)
    .where('is_active', '=', 1)
    .where('prohibit_login', '=', 0)
    .executeTakeFirstOrThrow()
  return count
}

/** Whether the account is among those that `visible` leaves over. */
export async function findVisible(
  db: Executor,
  id: number,
  visible: AccountCondition,
): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .where(visible)
    .executeTakeFirst()
  return row !== undefined
}

function nameTaken(name: string, cause: unknown): Error {
  return invalid(`user already exists [name: ${name}]`, { cause, reason: 'name_taken' })
}

/** How many people there are, and how many of them have signed in lately. */
export async function countPeople(
  db: Executor,
  since: { sinceMonth: number; sinceHalfYear: number },
): Promise<{ total: number; month: number; halfYear: number }> {
  return db
    .selectFrom('account')
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(CASE WHEN last_login_at >= ${since.sinceMonth} THEN 1 END)`.as('month'),
      sql<number>`count(CASE WHEN last_login_at >= ${since.sinceHalfYear} THEN 1 END)`.as(
        'halfYear',
      ),
    ])
    .where('kind', '=', 'person')
    .executeTakeFirstOrThrow()
}

/** Part of a login, a full name or an address that the caller may see. */
function matches(text: string, caller: Caller): AccountCondition {
  const lower = text.toLowerCase()
  return (eb) => {
    const inEmail = contains(sql`lower(account.email)`, lower)
    const everyEmail = isSiteAdmin(caller)
    return eb.or([
      contains(sql.ref('account.lower_name'), lower),
      contains(sql.ref('account.lower_full_name'), lower),
      everyEmail
        ? inEmail
        : eb.and([
            inEmail,
            eb.or([
              eb('account.hide_email', '=', 0),
              eb('account.id', '=', caller.account?.id ?? 0),
            ]),
          ]),
    ])
  }
}

export interface WantedPeople {
  readonly text: string
  readonly visible: AccountCondition
  /** This one alone. */
  readonly id?: number | undefined
  readonly isActive?: boolean | undefined
  readonly order?: AccountOrder | undefined
}

/** People among those that `visible` leaves over, by name unless asked for otherwise. */
export async function searchPeople(
  db: Executor,
  caller: Caller,
  { text, visible, id, isActive, order = 'name' }: WantedPeople,
  page: Page,
): Promise<PageOf<Account>> {
  let query = db
    .selectFrom('account')
    .selectAll('account')
    .where('account.kind', '=', 'person')
    .where(visible)
  if (id !== undefined) query = query.where('account.id', '=', id)
  if (isActive !== undefined) query = query.where('account.is_active', '=', isActive ? 1 : 0)
  if (text !== '') query = query.where(matches(text, caller))
  return mapPage(await fetchOrderedPage(query, keysOf(order), page), toAccount)
}

export interface PeopleFilter {
  readonly text: string
  readonly loginName: string | undefined
  readonly sourceId: number | undefined
  readonly visibility: Visibility | undefined
  readonly isActive: boolean | undefined
  readonly isAdmin: boolean | undefined
  readonly isRestricted: boolean | undefined
  readonly hasTwoFactor: boolean | undefined
  readonly prohibitLogin: boolean | undefined
  readonly sort: PeopleSort
  readonly direction: 'asc' | 'desc'
}

export const peopleSorts = {
  name: { column: 'account.lower_name', kind: 'text' },
  created: { column: 'account.created_at', kind: 'number' },
  updated: { column: 'account.updated_at', kind: 'number' },
  id: { column: 'account.id', kind: 'number' },
} as const
export type PeopleSort = keyof typeof peopleSorts

/** All people, for administrators. */
export async function listPeople(
  db: Executor,
  caller: Caller,
  filter: PeopleFilter,
  page: Page,
): Promise<PageOf<Account>> {
  let query = db.selectFrom('account').selectAll('account').where('account.kind', '=', 'person')
  const flags = [
    ['is_active', filter.isActive],
    ['is_admin', filter.isAdmin],
    ['is_restricted', filter.isRestricted],
    ['prohibit_login', filter.prohibitLogin],
  ] as const
  for (const [column, wanted] of flags) {
    if (wanted !== undefined) query = query.where(column, '=', wanted ? 1 : 0)
  }
  if (filter.hasTwoFactor !== undefined) {
    const has = sql<boolean>`(totp_secret <> '' OR security_keys > 0)`
    query = query.where(filter.hasTwoFactor ? has : sql<boolean>`NOT ${has}`)
  }
  if (filter.loginName !== undefined) query = query.where('login_name', '=', filter.loginName)
  if (filter.sourceId !== undefined) query = query.where('source_id', '=', filter.sourceId)
  if (filter.visibility !== undefined) query = query.where('visibility', '=', filter.visibility)
  if (filter.text !== '') query = query.where(matches(filter.text, caller))
  const { column, kind } = peopleSorts[filter.sort]
  const keys = [
    { by: sql.ref(column), kind, direction: filter.direction },
    { by: sql.ref('account.id'), kind: 'number', direction: filter.direction },
  ] as const
  return mapPage(await fetchOrderedPage(query, keys, page), toAccount)
}

export async function isMemberOfAny(db: Executor, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('organization_member')
    .select('org_id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The organizations that this person owns, alone or with others. */
export async function findOwnedOrganizations(
  db: Executor,
  accountId: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('team')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .select('team.org_id')
    .where('team.access', '=', 'owner')
    .where('team_member.account_id', '=', accountId)
    .orderBy('team.org_id')
    .execute()
  return rows.map(({ org_id: id }) => id)
}

/** The organizations whose only owner is this person. */
export async function findSolelyOwned(db: Executor, accountId: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('team')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .select('team.org_id')
    .where('team.access', '=', 'owner')
    .groupBy('team.org_id')
    .having(sql<number>`count(*)`, '=', 1)
    .having(sql<number>`max(team_member.account_id)`, '=', accountId)
    .execute()
  return rows.map(({ org_id: id }) => id)
}

/** Takes the follows of accounts that go out of the counts of the others. */
export async function uncountFollows(db: Executor, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await uncount(db, 'followers_count', { counted: 'followed_id', gone: 'follower_id' }, id)
    await uncount(db, 'following_count', { counted: 'follower_id', gone: 'followed_id' }, id)
  }
}

async function uncount(
  db: Executor,
  column: 'followers_count' | 'following_count',
  side: { counted: 'followed_id' | 'follower_id'; gone: 'followed_id' | 'follower_id' },
  id: number,
): Promise<void> {
  await db
    .updateTable('account')
    .set({ [column]: sql`${sql.ref(column)} - 1` })
    .where('id', 'in', (eb) =>
      eb.selectFrom('follow').select(side.counted).where(side.gone, '=', id),
    )
    .execute()
}

/** Those of the accounts of which the condition holds. */
export async function findAmong(
  db: Executor,
  accountIds: readonly number[],
  condition: AccountCondition,
): Promise<ReadonlySet<number>> {
  if (accountIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('account')
    .select('account.id')
    .where('account.id', 'in', accountIds)
    .where(condition)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
