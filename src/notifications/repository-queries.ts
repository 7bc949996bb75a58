import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../db/database.ts'
import type { Told } from './recipients-queries.ts'

/** What somebody can be told of a repository: it is offered to them, or is their fork and private now. */
export type RepositoryNews = 'offer' | 'fork'

const columns = { offer: 'offer_id', fork: 'fork_id' } as const

interface About {
  readonly kind: RepositoryNews
  readonly repositoryId: number
  /** A person, or an organization whose owners are told. */
  readonly accountId: number
  readonly actorId: number
  readonly now: number
}

/** One statement, however many own the organization; not who did it, nor who blocks them. */
export async function insertRepositoryNews(
  db: Executor,
  { kind, repositoryId, accountId, actorId, now }: About,
): Promise<readonly Told[]> {
  const column = sql.ref(columns[kind])
  const time = sql`CAST(${now} AS bigint)`
  const { rows } = await sql<Told>`
    INSERT INTO notification (
      account_id, ${column}, repository_id, is_pull, is_repository, status, created_at, updated_at
    )
    SELECT account.id, repository.id, repository.id, 0, 1, 'unread', ${time}, ${time}
      FROM account JOIN repository ON repository.id = ${repositoryId}
     WHERE account.id IN (${ownersOf(accountId)})
       AND account.kind = 'person'
       AND account.is_active = 1
       AND account.id <> ${actorId}
       AND NOT EXISTS (
         SELECT 1 FROM block WHERE block.blocker_id = account.id AND block.blocked_id = ${actorId}
       )
    ON CONFLICT (${column}, account_id) DO UPDATE SET
      status = 'unread', updated_at = excluded.updated_at
    RETURNING account_id AS "accountId",
      (SELECT mail_news FROM account WHERE account.id = notification.account_id) AS "mailNews"
  `.execute(db)
  return rows
}

function ownersOf(accountId: number): RawBuilder<unknown> {
  return sql`
    SELECT CAST(${accountId} AS bigint)
    UNION SELECT team_member.account_id FROM team_member
      JOIN team ON team.id = team_member.team_id
      WHERE team.org_id = ${accountId} AND team.access = 'owner'`
}

/** The offers to an account and to the organizations that it owns, and the repositories of these. */
export function concernsOwner(accountId: number): Expression<SqlBool> {
  const theirs = sql`
    SELECT CAST(${accountId} AS bigint)
    UNION SELECT team.org_id FROM team
      JOIN team_member ON team_member.team_id = team.id
      WHERE team_member.account_id = ${accountId} AND team.access = 'owner'`
  return sql<SqlBool>`notification.repository_id IN (
    SELECT repository_id FROM repository_transfer WHERE recipient_id IN (${theirs})
    UNION SELECT id FROM repository WHERE owner_id IN (${theirs}))`
}
