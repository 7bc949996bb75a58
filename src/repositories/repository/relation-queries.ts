import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { AccessLevel } from '../../platform/db/columns.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { statementForIds } from '../../platform/db/statement.ts'
import { findTeamsById } from '../../identity/organizations/load.ts'
import type { Team } from '../../identity/organizations/team.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import { teamHasRepository } from './conditions.ts'

const topicsOf = statementForIds<{ readonly repository_id: number; readonly name: string }>(`
  SELECT repository_topic.repository_id, topic.name
  FROM repository_topic
  INNER JOIN topic ON topic.id = repository_topic.topic_id
  WHERE repository_topic.repository_id IN (*)
  ORDER BY topic.name
`)

export async function findTopics(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await topicsOf(db, ids)
  const byRepository = Map.groupBy(rows, ({ repository_id: id }) => id)
  return new Map([...byRepository].map(([id, topics]) => [id, topics.map(({ name }) => name)]))
}

export interface CollaborationRow {
  readonly accountId: number
  readonly repositoryId: number
  readonly level: AccessLevel
}

const collaborationsOf = statementForIds<CollaborationRow>(`
  SELECT account_id AS "accountId", repository_id AS "repositoryId", access AS level
  FROM collaboration
  WHERE account_id IN (*) AND repository_id IN (*)`)

export async function findCollaborations(
  db: Executor,
  ids: readonly number[],
  accountIds: readonly number[],
): Promise<readonly CollaborationRow[]> {
  return collaborationsOf(db, accountIds, ids)
}

export interface TeamAccessRow {
  readonly accountId: number
  readonly repositoryId: number
  readonly teamId: number
  readonly level: AccessLevel
  readonly unit: string | null
  readonly unitLevel: AccessLevel | null
}

/**
 * The teams of accounts that have these repositories, a row for each unit. The plus keeps SQLite
 * from going through all repositories of an organization once for each team.
 */
export async function findTeamAccess(
  db: Executor,
  ids: readonly number[],
  accountIds: readonly number[],
): Promise<readonly TeamAccessRow[]> {
  return db
    .selectFrom('repository')
    .innerJoin('team', (join) => join.on(sql<SqlBool>`team.org_id = +repository.owner_id`))
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .leftJoin('team_unit', 'team_unit.team_id', 'team.id')
    .select([
      'team_member.account_id as accountId',
      'repository.id as repositoryId',
      'team.id as teamId',
      'team.access as level',
      'team_unit.unit as unit',
      'team_unit.access as unitLevel',
    ])
    .where('repository.id', 'in', ids)
    .where('team_member.account_id', 'in', accountIds)
    .where(teamHasRepository)
    .execute()
}

export interface MembershipRow {
  readonly accountId: number
  readonly orgId: number
}

const membershipsOf = statementForIds<MembershipRow>(`
  SELECT account_id AS "accountId", org_id AS "orgId"
  FROM organization_member
  WHERE account_id IN (*) AND org_id IN (*)`)

export async function findMemberships(
  db: Executor,
  orgIds: readonly number[],
  accountIds: readonly number[],
): Promise<readonly MembershipRow[]> {
  return membershipsOf(db, accountIds, orgIds)
}

export interface PendingTransfer {
  readonly offeredBy: Account
  readonly recipient: Account
  /** Those of the recipient that shall have it. */
  readonly teams: readonly Team[]
}

const transfersOf = statementForIds<Row<'repository_transfer'>>(
  'SELECT * FROM repository_transfer WHERE repository_id IN (*)',
)

export async function findTransfers(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PendingTransfer>> {
  const rows = await transfersOf(db, ids)
  if (rows.length === 0) return new Map()
  const accounts = await findAllById(
    db,
    rows.flatMap((row) => [row.offered_by_id, row.recipient_id]),
  )
  const teams = await findTeamsById(db, rows.flatMap(teamIdsOf))
  return new Map(
    rows.flatMap((row) => {
      const offeredBy = accounts.get(row.offered_by_id)
      const recipient = accounts.get(row.recipient_id)
      if (!offeredBy || !recipient) return []
      const chosen = teamIdsOf(row).flatMap((id) => teams.get(id) ?? [])
      return [[row.repository_id, { offeredBy, recipient, teams: chosen }]]
    }),
  )
}

function teamIdsOf(row: Row<'repository_transfer'>): readonly number[] {
  return JSON.parse(row.team_ids) as number[]
}

/** How a mirror keeps up with its remote. */
export interface MirrorState {
  readonly interval: string
  readonly isPaused: boolean
  /**
   * At the moment of asking: a worker that has died says nothing any more, also to records that are
   * kept.
   */
  readonly isWorking: () => boolean
  /** Somebody will work on it, or has begun and must begin again. */
  readonly isQueued: boolean
  readonly failures: number
  readonly lastError: string
  /** Zero: never by itself. */
  readonly nextAt: number
  readonly updatedAt: number
  readonly syncedAt: number
}

export async function findMirrorStates(
  db: Executor,
  ids: readonly number[],
  now: () => number,
): Promise<ReadonlyMap<number, MirrorState>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('mirror').selectAll().where('repository_id', 'in', ids).execute()
  return new Map(
    rows.map((row) => [
      row.repository_id,
      {
        interval: row.interval,
        isPaused: row.interval_seconds === 0,
        isWorking: () => row.lease_until > now(),
        isQueued: row.is_queued === 1 || row.holder !== '',
        failures: row.failures,
        lastError: row.last_error,
        nextAt: row.next_at,
        updatedAt: row.updated_at,
        syncedAt: row.synced_at,
      },
    ]),
  )
}

/** Adds somebody, or changes the level. */
export async function upsertCollaboration(
  db: Executor,
  row: NewRow<'collaboration'>,
): Promise<void> {
  await db
    .insertInto('collaboration')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'account_id']).doUpdateSet({ access: row.access }),
    )
    .execute()
}

/** Where a level is given, only of that level. */
export async function deleteCollaboration(
  db: Executor,
  repositoryId: number,
  accountId: number,
  level?: AccessLevel,
): Promise<void> {
  const all = db
    .deleteFrom('collaboration')
    .where('repository_id', '=', repositoryId)
    .where('account_id', '=', accountId)
  await (level === undefined ? all : all.where('access', '=', level)).execute()
}
