import type { Config } from '../../platform/config/config.ts'
import { anonymous, type Caller } from '../../platform/context.ts'
import { issueHtmlUrl, labelHome, presentDue } from '../issues/present.ts'
import { presentLabel } from '../../repositories/labels/present.ts'
import { presentMilestone } from '../milestones/present.ts'
import { presentTeam } from '../../identity/organizations/present.ts'
import { hasAnyAccess } from '../../repositories/repository/access.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import type { Account } from '../../identity/users/account.ts'
import { presentUser } from '../../identity/users/present.ts'
import { headRef, isDraft } from './pull.ts'
import type { PullRequestBody, SideBody } from './schema.ts'
import type { PullView } from './view.ts'

export function presentPull(config: Config, caller: Caller, view: PullView): PullRequestBody {
  const { issue, home, milestone, pull, reviews } = view
  const inPublic = (account: Account) => presentUser(config, anonymous, account)
  const url = issueHtmlUrl(config, home, issue)
  const assignees = view.assignees.map(inPublic)
  const draft = isDraft(issue.title)
  return {
    id: pull.id,
    url,
    number: issue.number,
    user: presentUser(config, caller, view.author),
    title: issue.title,
    body: issue.body,
    labels: view.labels.map((label) => presentLabel(config, labelHome(home), label)),
    milestone: milestone ? presentMilestone(milestone) : null,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: reviews.requested.map(inPublic),
    requested_reviewers_teams: reviews.requestedTeams.map((team) => presentTeam(team)),
    state: issue.isClosed ? 'closed' : 'open',
    draft,
    is_locked: issue.isLocked,
    comments: issue.commentsCount,
    review_comments: reviews.comments,
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changedFiles,
    html_url: url,
    diff_url: `${url}.diff`,
    patch_url: `${url}.patch`,
    mergeable: !draft && !pull.isConflicting,
    merged: pull.isMerged,
    merged_at: pull.isMerged ? formatTime(pull.mergedAt) : null,
    merge_commit_sha: pull.isMerged ? pull.mergeCommitId : null,
    merged_by: view.mergedBy ? inPublic(view.mergedBy) : null,
    allow_maintainer_edit: pull.allowsMaintainerEdit,
    base: presentBase(config, view),
    head: presentHead(config, view),
    merge_base: pull.mergeBase,
    due_date: presentDue(issue.dueAt),
    created_at: formatTime(issue.createdAt),
    updated_at: formatTime(issue.updatedAt),
    closed_at: issue.isClosed ? formatTime(issue.closedAt) : null,
    pin_order: issue.pinOrder,
    content_version: issue.contentVersion,
  }
}

function presentBase(config: Config, { pull, base }: PullView): SideBody {
  return {
    label: pull.baseBranch,
    ref: pull.baseBranch,
    sha: pull.baseCommitId,
    repo_id: pull.repositoryId,
    repo: presentRepository(config, base),
  }
}

/** A branch that is gone is found under the reference that the server keeps. */
function presentHead(config: Config, { pull, head, issue }: PullView): SideBody {
  return {
    label: pull.headBranch,
    ref: pull.isHeadGone ? headRef(issue.number) : pull.headBranch,
    sha: pull.headCommitId,
    repo_id: pull.headRepositoryId ?? -1,
    repo: head && hasAnyAccess(head.access, head.units) ? presentRepository(config, head) : null,
  }
}

/** Its page. */
export function pullPage(config: Config, { owner, repo }: RepositoryView, number: number): string {
  const home = { id: repo.id, name: repo.name, ownerName: owner.name }
  return issueHtmlUrl(config, home, { number, isPull: true })
}
