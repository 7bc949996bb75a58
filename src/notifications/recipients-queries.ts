import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'

export interface News {
  readonly issueId: number
  readonly actorId: number
  readonly now: number
}

/**
 * One statement, however many hear of it: who watches the repository, takes part in the issue or asked for it; not
 * who did it, who said no, or who blocks the one who did. Whether they may see it is looked at when it is shown.
 */
export async function insertNews(db: Executor, { issueId, actorId, now }: News): Promise<void> {
  await sql`
    INSERT INTO notification (account_id, issue_id, status, created_at, updated_at)
    SELECT account.id, issue.id, 'unread', CAST(${now} AS bigint), CAST(${now} AS bigint)
      FROM account, issue
     WHERE issue.id = ${issueId}
       AND account.is_active = 1
       AND account.id <> ${actorId}
       AND account.id IN (
         SELECT account_id FROM watch WHERE watch.repository_id = issue.repository_id
         UNION SELECT issue.author_id
         UNION SELECT author_id FROM comment
                WHERE comment.issue_id = issue.id AND comment.kind = 'comment'
         UNION SELECT account_id FROM issue_assignee WHERE issue_assignee.issue_id = issue.id
         UNION SELECT account_id FROM issue_mention WHERE issue_mention.issue_id = issue.id
         UNION SELECT account_id FROM issue_subscription
                WHERE issue_subscription.issue_id = issue.id AND is_subscribed = 1
       )
       AND NOT EXISTS (
         SELECT 1 FROM issue_subscription
          WHERE issue_subscription.issue_id = issue.id
            AND issue_subscription.account_id = account.id AND is_subscribed = 0
       )
       AND NOT EXISTS (
         SELECT 1 FROM block WHERE block.blocker_id = account.id AND block.blocked_id = ${actorId}
       )
    ON CONFLICT (account_id, issue_id) DO UPDATE SET
      status = CASE WHEN notification.status = 'read' THEN 'unread' ELSE notification.status END,
      updated_at = excluded.updated_at
  `.execute(db)
}
