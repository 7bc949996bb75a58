import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../db/database.ts'
import { contains } from '../db/like.ts'
import type { Wanted } from './wanted.ts'

/** A subquery of ids of repositories: what a filter leaves, found from the filter's own side. */
export type IdSet = RawBuilder<unknown>

/** Up to so many, fetching them one by one and sorting beats walking through an index of all repositories in order. */
const FEW = 3_000

export async function isSmall(db: Database, sets: readonly IdSet[]): Promise<boolean> {
  const counted = sql<{ found: number }>`
    SELECT count(*) AS found FROM (
      SELECT 1 FROM (${sql.join(sets, sql` UNION ALL `)}) AS every_id LIMIT ${FEW + 1}
    ) AS some_ids`
  const { rows } = await counted.execute(db)
  return (rows[0]?.found ?? 0) <= FEW
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
    sql`SELECT repository.id FROM team_member
      INNER JOIN team ON team.id = team_member.team_id
      INNER JOIN team_repository ON team_repository.team_id = team.id
      INNER JOIN repository ON repository.id = team_repository.repository_id AND repository.owner_id = team.org_id
      WHERE team_member.account_id = ${accountId}`,
    sql`SELECT repository.id FROM team_member
      INNER JOIN team ON team.id = team_member.team_id AND team.includes_all_repositories = 1
      INNER JOIN repository ON repository.owner_id = team.org_id
      WHERE team_member.account_id = ${accountId}`,
  ]
}

/** What is public, of organizations that only their members know. */
export function knownThroughMembership(accountId: number): IdSet {
  return sql`SELECT repository.id FROM organization_member
    INNER JOIN repository ON repository.owner_id = organization_member.org_id AND repository.reach = 2
    WHERE organization_member.account_id = ${accountId}`
}

export function unionOf(sets: readonly IdSet[]): IdSet {
  return sql.join(sets, sql` UNION `)
}

/** Where a keyword is; of a path, where its name is. */
export function keywordIds(
  db: Database,
  { keywords, isTopic, includeDescription, path }: Wanted,
): readonly IdSet[] {
  if (isTopic) return keywords.map(topicIds)
  const words = path ? [...keywords, path.name] : keywords
  return [
    ...words.flatMap((word) => textIds(db, word, includeDescription)),
    ...keywords.map(
      (word) => sql`SELECT repository_id AS id FROM repository_topic
        WHERE topic_id IN (SELECT id FROM topic WHERE ${contains(sql.ref('topic.name'), word)})`,
    ),
  ]
}

/** Words of one or two characters are in no index, and in so many names that it hardly matters. */
function textIds(db: Database, word: string, withDescription: boolean): readonly IdSet[] {
  if (db.dialect === 'sqlite' && [...word].length >= 3) {
    const phrase = `${withDescription ? '' : 'name : '}"${word.replaceAll('"', '""')}"`
    return [sql`SELECT rowid AS id FROM repository_text WHERE repository_text MATCH ${phrase}`]
  }
  const columns = withDescription ? ['lower_name', 'lower_description'] : ['lower_name']
  return columns.map(
    (column) => sql`SELECT id FROM repository WHERE ${contains(sql.ref(column), word)}`,
  )
}
