import type { Executor } from '../../platform/db/database.ts'
import type { Team } from '../../identity/organizations/team.ts'
import type { Account } from '../../identity/users/account.ts'
import { countReviewComments, findRequestedPeople, findRequestedTeams } from './summary-queries.ts'

/** What the record of a pull request says of its reviews. */
export interface ReviewSummary {
  readonly requested: readonly Account[]
  readonly requestedTeams: readonly Team[]
  readonly comments: number
}

const none: ReviewSummary = { requested: [], requestedTeams: [], comments: 0 }

export async function summarizeReviews(
  db: Executor,
  issueIds: readonly number[],
): Promise<(issueId: number) => ReviewSummary> {
  if (issueIds.length === 0) return () => none
  const people = await findRequestedPeople(db, issueIds)
  const teams = await findRequestedTeams(db, issueIds)
  const comments = await countReviewComments(db, issueIds)
  return (id) => ({
    requested: people.get(id) ?? [],
    requestedTeams: teams.get(id) ?? [],
    comments: comments.get(id) ?? 0,
  })
}
