import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Told } from './recipients-queries.ts'

/**
 * What somebody can be told of a repository: it is offered to them, or is their fork and private
 * now.
 */
export type RepositoryNews = 'offer' | 'fork'

export interface Deed {
  readonly actorId: number
  readonly now: number
}

/** Somebody who is told, and of which repository. */
export interface ToldOf extends Told {
  readonly repositoryId: number
}

/** To a person, or to those who own an organization. */
export async function insertOfferNews(
  db: Executor,
  { repositoryId, recipientId }: { readonly repositoryId: number; readonly recipientId: number },
  deed: Deed,
): Promise<readonly ToldOf[]> {
  const recipient = sql`SELECT CAST(${recipientId} AS bigint) AS owner_id`
  return insertNews(
    db,
    'offer',
    sql`
    SELECT people.account_id, CAST(${repositoryId} AS bigint) AS repository_id
      FROM (${peopleBehind(recipient)}) AS people`,
    deed,
  )
}

export async function insertForkNews(
  db: Executor,
  forkIds: readonly number[],
  deed: Deed,
): Promise<readonly ToldOf[]> {
  if (forkIds.length === 0) return []
  const forks = sql`SELECT id, owner_id FROM repository WHERE id IN (${sql.join(forkIds)})`
  return insertNews(
    db,
    'fork',
    sql`
    SELECT people.account_id, forks.id AS repository_id FROM (${forks}) AS forks
      JOIN (${peopleBehind(forks)}) AS people ON people.owner_id = forks.owner_id`,
    deed,
  )
}

/** A person is its own owner; behind an organization stand those in its team of owners. */
function peopleBehind(owners: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT owned.owner_id, owned.owner_id AS account_id FROM (${owners}) AS owned
    UNION SELECT owned.owner_id, team_member.account_id FROM (${owners}) AS owned
      JOIN team ON team.org_id = owned.owner_id AND team.access = 'owner'
      JOIN team_member ON team_member.team_id = team.id`
}

/** One statement, however many hear of it; not who did it, nor who blocks them. */
async function insertNews(
  db: Executor,
  kind: RepositoryNews,
  concerned: RawBuilder<unknown>,
  { actorId, now }: Deed,
): Promise<readonly ToldOf[]> {
  const column = sql.ref(`${kind}_id`)
  const time = sql`CAST(${now} AS bigint)`
  const { rows } = await sql<ToldOf>`
    INSERT INTO notification (
      account_id, ${column}, repository_id, is_pull, is_repository, status, created_at, updated_at
    )
    SELECT account.id, concerned.repository_id, concerned.repository_id, 0, 1, 'unread', ${time}, ${time}
      FROM (${concerned}) AS concerned
      JOIN account ON account.id = concerned.account_id
     WHERE account.kind = 'person'
       AND account.is_active = 1
       AND account.id <> ${actorId}
       AND NOT EXISTS (
         SELECT 1 FROM block WHERE block.blocker_id = account.id AND block.blocked_id = ${actorId}
       )
    ON CONFLICT (${column}, account_id) DO UPDATE SET
      status = 'unread', updated_at = excluded.updated_at
    RETURNING account_id AS "accountId", repository_id AS "repositoryId",
      (SELECT mail_news FROM account WHERE account.id = notification.account_id) AS "mailNews"
  `.execute(db)
  return rows
}

/** A fork that is public again has nothing to tell. */
export async function deleteForkNews(db: Executor, forkIds: readonly number[]): Promise<void> {
  await db.deleteFrom('notification').where('fork_id', 'in', forkIds).execute()
}

/**
 * The offers to an account and to the organizations that it owns, and the repositories of these.
 */
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
