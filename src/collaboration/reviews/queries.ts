import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow } from '../../platform/db/schema.ts'
import { toReview, type Review } from './review.ts'

export async function insertReviews(
  db: Executor,
  rows: readonly NewRow<'review'>[],
): Promise<readonly Review[]> {
  if (rows.length === 0) return []
  return (await db.insertInto('review').values(rows).returningAll().execute()).map(toReview)
}

export async function findReview(
  db: Executor,
  issueId: number,
  id: number,
): Promise<Review | undefined> {
  const row = await db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toReview(row)
}

/** Oldest first; what somebody has not handed in yet is for them alone, unless `seesPending`. */
export async function listReviews(
  db: Executor,
  issueId: number,
  { callerId, seesPending }: { readonly callerId: number; readonly seesPending: boolean },
  page: Page,
): Promise<PageOf<Review>> {
  let query = db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .orderBy('created_at')
    .orderBy('id')
  if (!seesPending) {
    query = query.where((eb) =>
      eb.or([eb('state', '<>', 'PENDING'), eb('reviewer_id', '=', callerId)]),
    )
  }
  return mapPage(await fetchPage(query, page), toReview)
}

export async function findPending(
  db: Executor,
  issueId: number,
  reviewerId: number,
): Promise<Review | undefined> {
  const row = await db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', reviewerId)
    .where('state', '=', 'PENDING')
    .executeTakeFirst()
  return row && toReview(row)
}

/** Those that have been asked for and have not come; nobody waits for an account that is gone. */
export async function findRequests(db: Executor, issueId: number): Promise<readonly Review[]> {
  const rows = await db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('state', '=', 'REQUEST_REVIEW')
    .where((eb) => eb.or([eb('reviewer_id', 'is not', null), eb('team_id', 'is not', null)]))
    .orderBy('id')
    .execute()
  return rows.map(toReview)
}

/** Everybody who has been asked for a review, or has given or begun one. */
export async function findInvolved(
  db: Executor,
  issueId: number,
): Promise<{ readonly people: ReadonlySet<number>; readonly teams: ReadonlySet<number> }> {
  const rows = await db
    .selectFrom('review')
    .select(['reviewer_id', 'team_id'])
    .where('issue_id', '=', issueId)
    .execute()
  return {
    people: new Set(rows.flatMap(({ reviewer_id }) => reviewer_id ?? [])),
    teams: new Set(rows.flatMap(({ team_id }) => team_id ?? [])),
  }
}

/** Those of the teams that have one of these people. */
export async function findTeamsWith(
  db: Executor,
  teamIds: readonly number[],
  accountIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (teamIds.length === 0 || accountIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('team_member')
    .select('team_id')
    .where('team_id', 'in', teamIds)
    .where('account_id', 'in', accountIds)
    .execute()
  return new Set(rows.map(({ team_id }) => team_id))
}

/** What has been decided and is not dismissed. */
export async function findDecisions(db: Executor, issueId: number): Promise<readonly Review[]> {
  const rows = await db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('state', 'in', ['APPROVED', 'REQUEST_CHANGES'])
    .where('is_dismissed', '=', 0)
    .orderBy('id')
    .execute()
  return rows.map(toReview)
}

export async function updateReview(
  db: Executor,
  id: number,
  changes: Changes<'review'>,
): Promise<Review | undefined> {
  const row = await db
    .updateTable('review')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toReview(row)
}

/** Only the last word of each reviewer counts. */
export async function unofficialEarlier(
  db: Executor,
  { issueId, reviewerId, exceptId }: { issueId: number; reviewerId: number; exceptId: number },
): Promise<void> {
  await db
    .updateTable('review')
    .set({ is_official: 0 })
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', reviewerId)
    .where('id', '<>', exceptId)
    .where('state', 'in', ['APPROVED', 'REQUEST_CHANGES'])
    .execute()
}

/** Dismisses the decisions of one reviewer, or all approvals. */
export async function dismissReviews(
  db: Executor,
  issueId: number,
  { reviewerId, now }: { readonly reviewerId?: number; readonly now: number },
): Promise<void> {
  let query = db
    .updateTable('review')
    .set({ is_dismissed: 1, updated_at: now })
    .where('issue_id', '=', issueId)
    .where('is_dismissed', '=', 0)
  query =
    reviewerId === undefined
      ? query.where('state', '=', 'APPROVED')
      : query
          .where('reviewer_id', '=', reviewerId)
          .where('state', 'in', ['APPROVED', 'REQUEST_CHANGES'])
  await query.execute()
}

export async function markStale(db: Executor, issueId: number): Promise<void> {
  await db
    .updateTable('review')
    .set({ is_stale: 1 })
    .where('issue_id', '=', issueId)
    .where('state', 'not in', ['PENDING', 'REQUEST_REVIEW'])
    .where('is_stale', '=', 0)
    .execute()
}

export async function deleteReviews(db: Executor, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  // The texts of its comments lie with all others.
  await db
    .deleteFrom('comment')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('review_comment')
        .select('review_comment.comment_id')
        .where('review_comment.review_id', 'in', ids),
    )
    .execute()
  await db.deleteFrom('review').where('id', 'in', ids).execute()
}

/** What was asked of this person, or of a team of theirs. */
export async function findOwnRequests(
  db: Executor,
  issueId: number,
  accountId: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('review')
    .select('id')
    .where('issue_id', '=', issueId)
    .where('state', '=', 'REQUEST_REVIEW')
    .where((eb) =>
      eb.or([
        eb('reviewer_id', '=', accountId),
        eb(
          'team_id',
          'in',
          eb
            .selectFrom('team_member')
            .select('team_member.team_id')
            .where('team_member.account_id', '=', accountId),
        ),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}
