import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

/** Why somebody hears of an issue: what they are asked for stands before what they chose. */
export const reasons = [
  'review',
  'team',
  'assigned',
  'mentioned',
  'author',
  'participant',
  'subscribed',
  'watching',
] as const
export type Reason = (typeof reasons)[number]

interface Found {
  readonly issueId: number
  readonly reason: Reason
}

/** All that holds of these issues now: one statement, whatever their number. */
export async function findReasons(
  db: Executor,
  accountId: number,
  issueIds: readonly number[],
): Promise<readonly Found[]> {
  if (issueIds.length === 0) return []
  const ids = sql.join(issueIds)
  const { rows } = await sql<Found>`
    SELECT found.issue_id AS "issueId", found.reason
      FROM (
        SELECT issue_id, 'review' AS reason FROM review
          WHERE issue_id IN (${ids}) AND reviewer_id = ${accountId} AND state = 'REQUEST_REVIEW'
        UNION SELECT review.issue_id, 'team' FROM review
          JOIN team_member ON team_member.team_id = review.team_id
          WHERE review.issue_id IN (${ids}) AND review.state = 'REQUEST_REVIEW'
            AND team_member.account_id = ${accountId}
        UNION SELECT issue_id, 'assigned' FROM issue_assignee
          WHERE issue_id IN (${ids}) AND account_id = ${accountId}
        UNION SELECT issue_id, 'mentioned' FROM issue_mention
          WHERE issue_id IN (${ids}) AND account_id = ${accountId}
        UNION SELECT id, 'author' FROM issue WHERE id IN (${ids}) AND author_id = ${accountId}
        UNION SELECT issue_id, 'participant' FROM comment
          WHERE issue_id IN (${ids}) AND author_id = ${accountId}
            AND kind IN ('comment', 'code', 'review')
        UNION SELECT issue_id, 'subscribed' FROM issue_subscription
          WHERE issue_id IN (${ids}) AND account_id = ${accountId} AND is_subscribed = 1
        UNION SELECT issue.id, 'watching' FROM issue
          JOIN watch ON watch.repository_id = issue.repository_id
          WHERE issue.id IN (${ids}) AND watch.account_id = ${accountId}
      ) AS found
  `.execute(db)
  return rows
}
