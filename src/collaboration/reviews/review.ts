import type { Row } from '../../platform/db/schema.ts'

/** What a review comes to, by the contract's words. */
const reviewStates = [
  'APPROVED',
  'REQUEST_CHANGES',
  'COMMENT',
  'PENDING',
  'REQUEST_REVIEW',
] as const

export type ReviewState = (typeof reviewStates)[number]

/**
 * What somebody says of a pull request as a whole; one that was asked for and has not come yet is
 * one too.
 */
export interface Review {
  readonly id: number
  readonly issueId: number
  /** Absent when the account is gone, or a team was asked. */
  readonly reviewerId: number | undefined
  readonly teamId: number | undefined
  readonly state: ReviewState
  readonly body: string
  readonly commitId: string
  /** The head has changed since. */
  readonly isStale: boolean
  /** Counts for the protection of the base branch. */
  readonly isOfficial: boolean
  readonly isDismissed: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export function toReview(row: Row<'review'>): Review {
  return {
    id: row.id,
    issueId: row.issue_id,
    reviewerId: row.reviewer_id ?? undefined,
    teamId: row.team_id ?? undefined,
    state: row.state as ReviewState,
    body: row.body,
    commitId: row.commit_id,
    isStale: row.is_stale === 1,
    isOfficial: row.is_official === 1,
    isDismissed: row.is_dismissed === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Whether it decides something, and can be dismissed. */
export function isDecision({ state }: Pick<Review, 'state'>): boolean {
  return state === 'APPROVED' || state === 'REQUEST_CHANGES'
}
