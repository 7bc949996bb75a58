import { sql, type RawBuilder } from 'kysely'
import type { MailNews } from '../../platform/db/columns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Asked } from '../../platform/jobs/queue.ts'

export interface News {
  readonly issueId: number
  readonly repositoryId: number
  readonly actorId: number
  readonly now: number
  /** Who is to hear of it, where that is not everybody. */
  readonly only?: Asked | undefined
}

/** Somebody who hears of it. */
export interface Told {
  readonly accountId: number
  readonly mailNews: MailNews
}

/**
 * One statement, however many hear of it: who watches the repository, takes part in the issue or
 * asked for it; not who did it, who said no, or who blocks the one who did. Whether they may see it
 * is looked at when it is shown.
 */
export async function insertNews(
  db: Executor,
  { issueId, repositoryId, actorId, now, only }: News,
): Promise<readonly Told[]> {
  const concerned = only ? those(only) : allConcerned(issueId, repositoryId)
  const time = sql`CAST(${now} AS bigint)`
  const { rows } = await sql<Told>`
    INSERT INTO notification (account_id, issue_id, repository_id, is_pull, status, created_at, updated_at)
    SELECT account.id, issue.id, issue.repository_id, issue.is_pull, 'unread', ${time}, ${time}
      FROM (${concerned}) AS concerned
      JOIN account ON account.id = concerned.account_id
      JOIN issue ON issue.id = ${issueId}
     WHERE account.is_active = 1
       AND account.id <> ${actorId}
       AND NOT EXISTS (
         SELECT 1 FROM issue_subscription AS said
          WHERE said.issue_id = ${issueId}
            AND said.account_id = account.id AND said.is_subscribed = 0
       )
       AND NOT EXISTS (
         SELECT 1 FROM block WHERE block.blocker_id = account.id AND block.blocked_id = ${actorId}
       )
    ON CONFLICT (account_id, issue_id) DO UPDATE SET
      status = CASE WHEN notification.status = 'read' THEN 'unread' ELSE notification.status END,
      updated_at = excluded.updated_at
    RETURNING account_id AS "accountId",
      (SELECT mail_news FROM account WHERE account.id = notification.account_id) AS "mailNews"
  `.execute(db)
  return rows
}

function those(asked: Asked): RawBuilder<unknown> {
  return 'teamId' in asked
    ? sql`SELECT account_id FROM team_member WHERE team_id = ${asked.teamId}`
    : sql`SELECT CAST(${asked.accountId} AS bigint) AS account_id`
}

function allConcerned(issueId: number, repositoryId: number): RawBuilder<unknown> {
  return sql`
    SELECT account_id FROM watch WHERE repository_id = ${repositoryId}
    UNION SELECT author_id FROM issue WHERE id = ${issueId}
    UNION SELECT author_id FROM comment
      WHERE issue_id = ${issueId} AND kind IN ('comment', 'code', 'review')
    UNION SELECT account_id FROM issue_assignee WHERE issue_id = ${issueId}
    UNION SELECT account_id FROM issue_mention WHERE issue_id = ${issueId}
    UNION SELECT account_id FROM issue_subscription
      WHERE issue_id = ${issueId} AND is_subscribed = 1`
}

/**
 * Deletes what receivers of this notification have beyond the limit: read ones first, of these and
 * of the others the oldest; pinned ones stay. Thousands may have received it, so only one in some
 * of those for whom it is new is looked at, and an account exceeds the limit by little.
 */
export async function deleteBeyond(
  db: Executor,
  { issueId, now }: Pick<News, 'issueId' | 'now'>,
  limit: number,
): Promise<void> {
  await sql`
    DELETE FROM notification WHERE id IN (
      SELECT id FROM (
        SELECT id, status, row_number() OVER (
          PARTITION BY account_id
          ORDER BY CASE status WHEN 'pinned' THEN 0 WHEN 'unread' THEN 1 ELSE 2 END,
            updated_at DESC, id DESC
        ) AS place
          FROM notification
         WHERE account_id IN (
           SELECT account_id FROM notification
            WHERE issue_id = ${issueId} AND created_at = ${now}
              AND id % ${Math.ceil(limit / 8)} = 0
         )
      ) AS numbered
      WHERE place > ${limit} AND status <> 'pinned'
    )
  `.execute(db)
}
