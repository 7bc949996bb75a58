import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { RepositoryCondition } from '../repository/conditions.ts'

/** A subquery of ids of repositories: what a filter leaves, found from the filter's own side. */
export type IdSet = RawBuilder<{ readonly id: number }>

/** A filter said in two ways, each the faster one for its use. */
export interface SetFilter {
  /** Of which a repository must be in one. */
  readonly ids: readonly IdSet[]
  /** Whether a single repository is in one of `ids`. */
  readonly fits: RepositoryCondition
  /** Whether `ids` may hold more than what fits. */
  readonly isRough?: boolean
}

export function isIn({ ids, fits, isRough }: SetFilter): RepositoryCondition {
  const condition = sql<SqlBool>`repository.id IN (${unionOf(ids)})`
  return isRough ? (eb) => eb.and([condition, fits(eb)]) : () => condition
}

/**
 * Like `isIn`, of a small set. PostgreSQL, which would guess its size, gets the ids: it can only
 * start from them, and needs no new plan for what they were found by.
 */
export async function isAmong(db: Database, set: SetFilter): Promise<RepositoryCondition> {
  if (db.dialect === 'sqlite') return isIn(set)
  const { rows } = await unionOf(set.ids).execute(db)
  const ids = rows.map(({ id }) => id)
  return (eb) => eb.and([eb('repository.id', 'in', ids), ...(set.isRough ? [set.fits(eb)] : [])])
}

export function starredIds(accountId: number): IdSet {
  return sql`SELECT repository_id AS id FROM star WHERE account_id = ${accountId}`
}

export function ownedIds(ownerName: string): IdSet {
  return sql`SELECT id FROM repository WHERE owner_name = ${ownerName}`
}

export function ownedById(accountId: number): IdSet {
  return sql`SELECT id FROM repository WHERE owner_id = ${accountId}`
}

export function topicIds(topic: string): IdSet {
  return sql`SELECT repository_id AS id FROM repository_topic
    WHERE topic_id = (SELECT id FROM topic WHERE name = ${topic})`
}

export function teamIds(teamId: number): readonly IdSet[] {
  return [
    sql`SELECT repository.id FROM team_repository
      INNER JOIN repository ON repository.id = team_repository.repository_id
      INNER JOIN team ON team.id = team_repository.team_id AND team.org_id = repository.owner_id
      WHERE team.id = ${teamId}`,
    sql`SELECT repository.id FROM team INNER JOIN repository ON repository.owner_id = team.org_id
      WHERE team.id = ${teamId} AND team.includes_all_repositories = 1`,
  ]
}

/** What somebody has as a collaborator or through a team. */
export function sharedIds(accountId: number): readonly IdSet[] {
  return [
    sql`SELECT repository_id AS id FROM collaboration WHERE account_id = ${accountId}`,
    ...throughTeams(accountId, sql<{ readonly id: number }>`repository.id`),
  ]
}

function throughTeams<Columns>(accountId: number, columns: RawBuilder<Columns>) {
  return [
    sql<Columns>`SELECT ${columns} FROM team_member
      INNER JOIN team ON team.id = team_member.team_id
      INNER JOIN team_repository ON team_repository.team_id = team.id
      INNER JOIN repository ON repository.id = team_repository.repository_id AND repository.owner_id = team.org_id
      WHERE team_member.account_id = ${accountId}`,
    sql<Columns>`SELECT ${columns} FROM team_member
      INNER JOIN team ON team.id = team_member.team_id AND team.includes_all_repositories = 1
      INNER JOIN repository ON repository.owner_id = team.org_id
      WHERE team_member.account_id = ${accountId}`,
  ]
}

/**
 * What somebody owns or shares, with its name; nothing else, so that of what they own an index
 * tells it all.
 */
export function ownByName(accountId: number, { onlyPublic }: { readonly onlyPublic: boolean }) {
  const columns = sql<{ id: number; lower_name: string }>`repository.id, repository.lower_name`
  const open = onlyPublic ? sql`AND repository.reach = 0` : sql``
  const sets = [
    sql`SELECT ${columns} FROM repository WHERE repository.owner_id = ${accountId}`,
    sql`SELECT ${columns} FROM collaboration
      INNER JOIN repository ON repository.id = collaboration.repository_id
      WHERE collaboration.account_id = ${accountId}`,
    ...throughTeams(accountId, columns),
  ].map((set) => sql`${set} ${open}`)
  return sql<{ id: number; lower_name: string }>`(${sql.join(sets, sql` UNION `)})`
}

/** What is public, of organizations that only their members know. */
export function knownThroughMembership(accountId: number): IdSet {
  return sql`SELECT repository.id FROM organization_member
    INNER JOIN repository ON repository.owner_id = organization_member.org_id AND repository.reach = 2
    WHERE organization_member.account_id = ${accountId}`
}

function unionOf(sets: readonly IdSet[]): IdSet {
  return sql.join(sets, sql` UNION `)
}
