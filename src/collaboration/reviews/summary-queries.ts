import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { toTeam, type Team } from '../../identity/organizations/team.ts'
import { toAccount, type Account } from '../../identity/users/account.ts'

type ByIssue<T> = ReadonlyMap<number, readonly T[]>

/** Who has been asked for a review and has not given one, in the order of asking. */
export async function findRequestedPeople(
  db: Executor,
  issueIds: readonly number[],
): Promise<ByIssue<Account>> {
  const rows = await db
    .selectFrom('review')
    .innerJoin('account', 'account.id', 'review.reviewer_id')
    .selectAll('account')
    .select('review.issue_id')
    .where('review.issue_id', 'in', issueIds)
    .where('review.state', '=', 'REQUEST_REVIEW')
    .orderBy('review.id')
    .execute()
  const byIssue = Map.groupBy(rows, (row) => row.issue_id)
  return new Map([...byIssue].map(([id, people]) => [id, people.map(toAccount)]))
}

export async function findRequestedTeams(
  db: Executor,
  issueIds: readonly number[],
): Promise<ByIssue<Team>> {
  const asked = await db
    .selectFrom('review')
    .select(['issue_id', 'team_id'])
    .where('issue_id', 'in', issueIds)
    .where('team_id', 'is not', null)
    .where('state', '=', 'REQUEST_REVIEW')
    .orderBy('id')
    .execute()
  const teams = await findTeams(
    db,
    asked.flatMap((row) => row.team_id ?? []),
  )
  const byIssue = Map.groupBy(asked, (row) => row.issue_id)
  return new Map(
    [...byIssue].map(([id, rows]) => [
      id,
      rows.flatMap((row) => teams.get(row.team_id ?? 0) ?? []),
    ]),
  )
}

export async function findTeams(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Team>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('team').selectAll().where('id', 'in', ids).execute()
  const units = await db.selectFrom('team_unit').selectAll().where('team_id', 'in', ids).execute()
  const byTeam = Map.groupBy(units, (unit) => unit.team_id)
  return new Map(rows.map((row) => [row.id, toTeam(row, byTeam.get(row.id) ?? [])]))
}

/** Of reviews that have been handed in. */
export async function countReviewComments(
  db: Executor,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('review_comment')
    .innerJoin('review', 'review.id', 'review_comment.review_id')
    .select(['review.issue_id', sql<number>`count(*)`.as('comments')])
    .where('review.issue_id', 'in', issueIds)
    .where('review.state', '<>', 'PENDING')
    .groupBy('review.issue_id')
    .execute()
  return new Map(rows.map((row) => [row.issue_id, row.comments]))
}

/** From a name in lower case to the team that has it. */
export async function findTeamsNamed(
  db: Executor,
  orgId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, Team>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('team')
    .select('id')
    .where('org_id', '=', orgId)
    .where(
      'lower_name',
      'in',
      names.map((name) => name.toLowerCase()),
    )
    .execute()
  const teams = await findTeams(
    db,
    rows.map(({ id }) => id),
  )
  return new Map([...teams.values()].map((team) => [team.name.toLowerCase(), team]))
}
