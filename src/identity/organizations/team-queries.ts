import { sql } from 'kysely'
import type { Visibility } from '../../platform/db/columns.ts'
import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import { contains } from '../../platform/db/like.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { statement, statementForIds } from '../../platform/db/statement.ts'
import { invalid } from '../../platform/errors.ts'
import { toAccount, type Account } from '../users/account.ts'
import type { AccountCondition } from '../users/queries.ts'
import { highest, type Standing } from './policy.ts'
import { toTeam, type Team, type UnitLevels } from './team.ts'

export async function findTeam(db: Executor, id: number): Promise<Team | undefined> {
  const row = await db.selectFrom('team').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const [team] = await withUnits(db, [row])
  return team
}

export async function findTeams(db: Executor, ids: readonly number[]): Promise<readonly Team[]> {
  if (ids.length === 0) return []
  return withUnits(db, await db.selectFrom('team').selectAll().where('id', 'in', ids).execute())
}

export interface TeamFilter {
  readonly orgId?: number
  readonly memberId?: number
  /** Beside the teams that every member may see, only those of this account. */
  readonly seenBy?: number | undefined
  readonly visibility?: Visibility | undefined
  readonly text?: string | undefined
  readonly inDescriptions?: boolean
}

/** Owners first, then by name. */
export async function listTeams(
  db: Executor,
  { orgId, memberId, seenBy, visibility, text, inDescriptions }: TeamFilter,
  page: Page,
): Promise<PageOf<Team>> {
  let query = db
    .selectFrom('team')
    .selectAll('team')
    .orderBy(sql`CASE WHEN team.access = 'owner' THEN 0 ELSE 1 END`)
    .orderBy('team.lower_name')
    .orderBy('team.id')
  if (orgId !== undefined) query = query.where('team.org_id', '=', orgId)
  if (memberId !== undefined) query = query.where('team.id', 'in', teamsOf(db, memberId))
  if (seenBy !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('team.visibility', 'in', ['public', 'limited']),
        eb('team.id', 'in', teamsOf(db, seenBy)),
      ]),
    )
  }
  if (visibility !== undefined) query = query.where('team.visibility', '=', visibility)
  if (text) query = query.where((eb) => eb.or(matches(text, inDescriptions ?? true)))
  const { items, total } = await fetchPage(query, page)
  return { items: await withUnits(db, items), total }
}

/** Of all organizations, by name. */
export async function findTeamNames(
  db: Executor,
  accountId: number,
): Promise<readonly { readonly org: string; readonly team: string }[]> {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .innerJoin('account as org', 'org.id', 'team.org_id')
    .select(['org.name as org', 'team.lower_name as team'])
    .where('team_member.account_id', '=', accountId)
    .orderBy('org.lower_name')
    .orderBy('team.lower_name')
    .execute()
}

function teamsOf(db: Executor, accountId: number) {
  return db.selectFrom('team_member').select('team_id').where('account_id', '=', accountId)
}

/** The databases fold the case of ASCII letters only, so the text is folded no further. */
function matches(text: string, inDescriptions: boolean) {
  const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const inName = contains(sql.ref('team.lower_name'), folded)
  return inDescriptions ? [inName, contains(sql`lower(team.description)`, folded)] : [inName]
}

const unitsOf = statementForIds<Row<'team_unit'>>('SELECT * FROM team_unit WHERE team_id IN (*)')

async function withUnits(db: Executor, rows: readonly Row<'team'>[]): Promise<Team[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const units = await unitsOf(db, ids)
  const byTeam = Map.groupBy(units, ({ team_id }) => team_id)
  return rows.map((row) => toTeam(row, byTeam.get(row.id) ?? []))
}

export async function insertTeam(
  db: Executor,
  team: NewRow<'team'>,
  units: UnitLevels,
): Promise<Team> {
  const row = await unlessTaken(team, () =>
    db.insertInto('team').values(team).returningAll().executeTakeFirstOrThrow(),
  )
  return toTeam(row, await insertUnits(db, row.id, units))
}

export async function updateTeam(
  db: Executor,
  id: number,
  team: Changes<'team'> & Pick<Row<'team'>, 'org_id' | 'lower_name'>,
  units: UnitLevels,
): Promise<Team> {
  const row = await unlessTaken(team, () =>
    db.updateTable('team').set(team).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),
  )
  await db.deleteFrom('team_unit').where('team_id', '=', id).execute()
  return toTeam(row, await insertUnits(db, id, units))
}

async function unlessTaken<T>(
  { org_id, lower_name }: { org_id: number; lower_name: string },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw invalid(`team already exists [org_id: ${org_id}, name: ${lower_name}]`, {
      cause: error,
      reason: 'name_taken',
    })
  }
}

async function insertUnits(
  db: Executor,
  teamId: number,
  units: UnitLevels,
): Promise<Row<'team_unit'>[]> {
  const rows = [...units].map(([unit, access]) => ({ team_id: teamId, unit, access }))
  if (rows.length > 0) await db.insertInto('team_unit').values(rows).execute()
  return rows
}

export async function deleteTeam(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('team').where('id', '=', id).execute()
}

export interface TeamMemberFilter {
  readonly teamId: number
  /** Others are left out. */
  readonly visible?: AccountCondition | undefined
}

/** By name. */
export async function listTeamMembers(
  db: Executor,
  filter: TeamMemberFilter,
  page: Page,
): Promise<PageOf<Account>> {
  const { items, total } = await fetchPage(
    teamMembers(db, filter).orderBy('account.lower_name'),
    page,
  )
  return { items: items.map(toAccount), total }
}

export async function findTeamMember(
  db: Executor,
  filter: TeamMemberFilter,
  name: string,
): Promise<Account | undefined> {
  const row = await teamMembers(db, filter)
    .where('account.lower_name', '=', name.toLowerCase())
    .executeTakeFirst()
  return row && toAccount(row)
}

function teamMembers(db: Executor, { teamId, visible }: TeamMemberFilter) {
  const query = db
    .selectFrom('account')
    .selectAll('account')
    .where('account.id', 'in', (eb) =>
      eb.selectFrom('team_member').select('account_id').where('team_id', '=', teamId),
    )
  return visible ? query.where(visible) : query
}

/** False when they were in it already. */
export async function insertTeamMember(
  db: Executor,
  teamId: number,
  accountId: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('team_member')
    .values({ team_id: teamId, account_id: accountId })
    .onConflict((conflict) => conflict.columns(['team_id', 'account_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteTeamMember(
  db: Executor,
  teamId: number,
  accountId: number,
): Promise<void> {
  await db
    .deleteFrom('team_member')
    .where('team_id', '=', teamId)
    .where('account_id', '=', accountId)
    .execute()
}

export async function deleteFromAllTeams(
  db: Executor,
  orgId: number,
  accountId: number,
): Promise<void> {
  await db
    .deleteFrom('team_member')
    .where('account_id', '=', accountId)
    .where('team_id', 'in', (eb) => eb.selectFrom('team').select('id').where('org_id', '=', orgId))
    .execute()
}

const teamsWith = statement<Pick<Row<'team'>, 'id' | 'access' | 'can_create_org_repo'>>(`
  SELECT team.id, team.access, team.can_create_org_repo
  FROM team JOIN team_member ON team_member.team_id = team.id
  WHERE team.org_id = ? AND team_member.account_id = ?`)

export async function findStanding(
  db: Executor,
  orgId: number,
  accountId: number,
): Promise<Standing> {
  const teams = await teamsWith(db, orgId, accountId)
  const level = highest(teams.map(({ access }) => access))
  return {
    teamIds: new Set(teams.map(({ id }) => id)),
    level,
    canCreateRepositories:
      level === 'owner' || teams.some(({ can_create_org_repo }) => can_create_org_repo === 1),
  }
}
