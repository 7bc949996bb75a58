import { presentAddresses } from '../comments/present.ts'
import type { Config } from '../../platform/config/config.ts'
import { anonymous, type Caller } from '../../platform/context.ts'
import { presentIssue } from '../issues/present.ts'
import { presentLabel } from '../../repositories/labels/present.ts'
import type { Milestone } from '../milestones/milestone.ts'
import { presentMilestone } from '../milestones/present.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { presentTime } from '../time-tracking/present.ts'
import { formatTime } from '../../platform/time.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { TimelineBody } from './schema.ts'
import type { TimelineView } from './view.ts'

export function presentEntry(
  config: Config,
  caller: Caller,
  repository: RepositoryView,
  view: TimelineView,
): TimelineBody {
  const { comment, issue, author } = view
  return {
    id: comment.id,
    type: comment.kind,
    ...presentAddresses(config, repository, issue, comment.id),
    user: presentUser(config, anonymous, author),
    body: bodyOf(view),
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
    old_project_id: comment.details.oldProjectId ?? 0,
    project_id: comment.details.projectId ?? 0,
    old_milestone: presentIfAny(view.oldMilestone),
    milestone: presentIfAny(view.milestone),
    tracked_time: view.time ? presentTime(view.time, null) : null,
    old_title: comment.details.oldTitle ?? '',
    new_title: comment.details.newTitle ?? '',
    old_ref: comment.details.oldRef ?? '',
    new_ref: comment.details.newRef ?? '',
    ref_issue: view.source ? presentIssue(config, caller, view.source) : null,
    ref_comment: null,
    ref_action: view.source ? 'none' : '',
    ref_commit_sha: comment.details.commitId ?? '',
    review_id: comment.details.reviewId ?? 0,
    label: presentLabelOf(config, repository, view),
    assignee: view.assignee ? presentUser(config, anonymous, view.assignee) : null,
    assignee_team: null,
    removed_assignee: view.assignee !== undefined && comment.details.removed === true,
    resolve_doer: null,
    dependent_issue: view.dependent ? presentIssue(config, caller, view.dependent) : null,
  }
}

/** The contract tells by the text whether a label came or went. */
function bodyOf({ comment }: TimelineView): string {
  if (comment.kind === 'label') return comment.details.removed ? '' : '1'
  return comment.body
}

function presentIfAny(milestone: Milestone | undefined) {
  return milestone ? presentMilestone(milestone) : null
}

function presentLabelOf(config: Config, { owner, repo }: RepositoryView, { label }: TimelineView) {
  if (!label) return null
  return presentLabel(config, { ownerName: owner.name, repositoryName: repo.name }, label)
}
