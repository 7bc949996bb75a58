import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/context.ts'
import { presentTeam } from '../../identity/organizations/present.ts'
import { formatTime } from '../../platform/time.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { CodeComment } from './code-comment.ts'
import type { CreatePullReviewOptions, ReviewBody, ReviewCommentBody } from './schema.ts'
import type { NewReview } from './submit.ts'
import type { ReviewView } from './view.ts'

/** `url` is the page of the pull request. */
export function presentReview(
  config: Config,
  caller: Caller,
  url: string,
  { review, reviewer, team, comments }: ReviewView,
): ReviewBody {
  const user = reviewer ?? (review.teamId === undefined ? ghost : undefined)
  return {
    id: review.id,
    user: user ? presentUser(config, caller, user) : null,
    team: team ? presentTeam(team) : null,
    state: review.state,
    body: review.body,
    commit_id: review.commitId,
    stale: review.isStale,
    official: review.isOfficial,
    dismissed: review.isDismissed,
    comments_count: comments,
    submitted_at: formatTime(review.createdAt),
    updated_at: formatTime(review.updatedAt),
    html_url: `${url}#pullrequestreview-${review.id}`,
    pull_request_url: url,
  }
}

export function presentCodeComment(
  config: Config,
  caller: Caller,
  url: string,
  comment: CodeComment,
  people: ReadonlyMap<number, Account>,
): ReviewCommentBody {
  const resolver = people.get(comment.resolverId ?? 0)
  return {
    id: comment.id,
    body: comment.body,
    user: presentUser(config, caller, people.get(comment.authorId ?? 0) ?? ghost),
    resolver: resolver ? presentUser(config, caller, resolver) : null,
    pull_request_review_id: comment.reviewId,
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
    path: comment.path,
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    diff_hunk: comment.diffHunk,
    position: comment.newLine,
    original_position: comment.oldLine,
    html_url: `${url}#issuecomment-${comment.id}`,
    pull_request_url: url,
  }
}

export function readReview(body: Static<typeof CreatePullReviewOptions>): NewReview {
  return {
    event: body.event ?? '',
    body: body.body ?? '',
    commitId: body.commit_id ?? '',
    comments: (body.comments ?? []).map((comment) => ({
      path: comment.path ?? '',
      body: comment.body ?? '',
      oldLine: Math.max(0, comment.old_position ?? 0),
      newLine: Math.max(0, comment.new_position ?? 0),
    })),
  }
}
