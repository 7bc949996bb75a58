import type { Static } from 'typebox'
import { presentAttachment, type AttachmentView } from '../../repositories/attachments/present.ts'
import type { Config } from '../../platform/config/config.ts'
import { apiUrl, baseUrl } from '../../platform/config/urls.ts'
import { anonymous, type Caller } from '../../platform/context.ts'
import { presentLabel } from '../../repositories/labels/present.ts'
import { presentMilestone } from '../milestones/present.ts'
import { presentProject } from '../projects/present.ts'
import { endOfDay, formatTime, parseTime } from '../../platform/time.ts'
import { isDraft } from '../pulls/pull.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { NewIssue } from './create.ts'
import type { IssueEdit } from './edit.ts'
import type { Issue } from './issue.ts'
import type { Home } from './issue.ts'
import type { CreateIssueOption, EditIssueOption, IssueBody } from './schema.ts'
import type { IssueView } from './view.ts'

/**
 * The author as the caller may see them; the contract shows assignees to everybody as to strangers.
 */
export function presentIssue(
  config: Config,
  caller: Caller,
  view: IssueView,
  shown: Pick<AttachmentView, 'showDigest'> = {},
): IssueBody {
  const { issue, home, milestone } = view
  const assignees = view.assignees.map((account) => presentUser(config, anonymous, account))
  return {
    id: issue.id,
    url: issueApiUrl(config, home, issue),
    html_url: issueHtmlUrl(config, home, issue),
    number: issue.number,
    user: presentUser(config, caller, view.author),
    original_author: '',
    original_author_id: 0,
    title: issue.title,
    body: issue.body,
    ref: issue.ref,
    assets: view.assets.map((attachment) => presentAttachment(config, attachment, shown)),
    labels: view.labels.map((label) => presentLabel(config, labelHome(home), label)),
    milestone: milestone ? presentMilestone(milestone) : null,
    projects: presentAny(view.projects.map((one) => presentProject(config, caller, one))),
    assignee: assignees[0] ?? null,
    assignees: presentAny(assignees),
    state: issue.isClosed ? 'closed' : 'open',
    is_locked: issue.isLocked,
    comments: issue.commentsCount,
    created_at: formatTime(issue.createdAt),
    updated_at: formatTime(issue.updatedAt),
    closed_at: issue.isClosed ? formatTime(issue.closedAt) : null,
    due_date: presentDue(issue.dueAt),
    time_estimate: issue.timeEstimate,
    pull_request: issue.isPull ? presentPull(config, view) : null,
    repository: {
      id: home.id,
      name: home.name,
      owner: home.ownerName,
      full_name: `${home.ownerName}/${home.name}`,
    },
    pin_order: issue.pinOrder,
    content_version: issue.contentVersion,
  }
}

/** The contract has no empty lists here. */
function presentAny<T>(list: T[]): T[] | null {
  return list.length > 0 ? list : null
}

function presentPull(config: Config, { issue, home, pull }: IssueView) {
  return {
    merged: pull?.isMerged ?? false,
    merged_at: pull?.isMerged ? formatTime(pull.mergedAt) : null,
    draft: isDraft(issue.title),
    html_url: issueHtmlUrl(config, home, issue),
  }
}

export function presentDue(dueAt: number): string | null {
  return dueAt === 0 ? null : formatTime(dueAt)
}

export function labelHome({ ownerName, name }: Home) {
  return { ownerName, repositoryName: name }
}

/** Pull requests too are issues there. */
export function issueApiUrl(config: Config, { ownerName, name }: Home, { number }: Issue): string {
  return `${apiUrl(config)}/repos/${ownerName}/${name}/issues/${number}`
}

export function issueHtmlUrl(
  config: Config,
  { ownerName, name }: Home,
  { number, isPull }: Pick<Issue, 'number' | 'isPull'>,
): string {
  return `${baseUrl(config)}/${ownerName}/${name}/${isPull ? 'pulls' : 'issues'}/${number}`
}

export function readNewIssue(body: Static<typeof CreateIssueOption>): NewIssue {
  return {
    title: body.title,
    body: body.body ?? '',
    ref: body.ref ?? '',
    isClosed: body.closed ?? false,
    assignees: [...(body.assignees ?? []), ...(body.assignee ? [body.assignee] : [])],
    labelIds: body.labels ?? [],
    projectIds: body.projects ?? [],
    milestoneId: body.milestone ?? 0,
    dueAt: parseTime(body.due_date ?? '') ?? 0,
  }
}

export function readIssueEdit(body: Static<typeof EditIssueOption>): IssueEdit {
  return {
    title: body.title,
    body: body.body,
    ref: body.ref,
    state: body.state,
    assignees: readAssignees(body),
    milestoneId: body.milestone,
    dueAt: readDue(body),
    projectIds: body.projects,
    contentVersion: body.content_version,
  }
}

/** The single one of old clients is one more of the others. */
function readAssignees({ assignee, assignees }: Static<typeof EditIssueOption>) {
  if (assignee === undefined && assignees === undefined) return undefined
  return [...(assignees ?? []), ...(assignee ? [assignee] : [])]
}

function readDue({ due_date, unset_due_date }: Static<typeof EditIssueOption>) {
  if (due_date === undefined && unset_due_date === false) return 'missing' as const
  if (unset_due_date) return 0
  return due_date === undefined ? undefined : endOfDay(due_date)
}
