import type { Executor } from '../../platform/db/database.ts'
import type { Team } from '../../identity/organizations/team.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import { countByReview } from './comment-queries.ts'
import type { Review } from './review.ts'
import { findTeams } from './summary-queries.ts'

/** A review with all that its record shows. */
export interface ReviewView {
  readonly review: Review
  readonly reviewer: Account | undefined
  readonly team: Team | undefined
  readonly comments: number
}

/** A fixed number of statements, whatever the number of reviews. */
export async function viewReviews(
  db: Executor,
  reviews: readonly Review[],
): Promise<readonly ReviewView[]> {
  const people = await findAllById(
    db,
    reviews.flatMap(({ reviewerId }) => reviewerId ?? []),
  )
  const teams = await findTeams(
    db,
    reviews.flatMap(({ teamId }) => teamId ?? []),
  )
  const counts = await countByReview(
    db,
    reviews.map(({ id }) => id),
  )
  return reviews.map((review) => ({
    review,
    reviewer: people.get(review.reviewerId ?? 0),
    team: teams.get(review.teamId ?? 0),
    comments: counts.get(review.id) ?? 0,
  }))
}
