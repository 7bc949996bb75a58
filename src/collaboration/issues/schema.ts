import { Type, type Static } from 'typebox'
import { AttachmentBody } from '../../repositories/attachments/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { LabelBody } from '../../repositories/labels/schema.ts'
import { MilestoneBody } from '../milestones/schema.ts'
import { ProjectBody } from '../projects/schema.ts'
import { UserBody } from '../../identity/users/schema.ts'

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])

const RepositoryMetaBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    owner: Type.String(),
    full_name: Type.String(),
  },
  { title: 'RepositoryMeta' },
)

const PullRequestMetaBody = Type.Object(
  { merged: Type.Boolean(), merged_at: timeOrNull, draft: Type.Boolean(), html_url: Type.String() },
  { title: 'PullRequestMeta' },
)

export type IssueBody = Static<typeof IssueBody>
export const IssueBody = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    html_url: Type.String(),
    number: Type.Integer(),
    user: UserBody,
    original_author: Type.String(),
    original_author_id: Type.Integer(),
    title: Type.String(),
    body: Type.String(),
    ref: Type.String(),
    assets: Type.Array(AttachmentBody),
    labels: Type.Array(LabelBody),
    milestone: Type.Union([MilestoneBody, Type.Null()]),
    projects: Type.Union([Type.Array(ProjectBody), Type.Null()]),
    assignee: Type.Union([UserBody, Type.Null()], { description: 'The first of `assignees`.' }),
    assignees: Type.Union([Type.Array(UserBody), Type.Null()]),
    state: Type.String({ description: 'open or closed' }),
    is_locked: Type.Boolean(),
    comments: Type.Integer(),
    created_at: time,
    updated_at: time,
    closed_at: timeOrNull,
    due_date: timeOrNull,
    time_estimate: Type.Integer({ description: 'seconds' }),
    pull_request: Type.Union([PullRequestMetaBody, Type.Null()]),
    repository: RepositoryMetaBody,
    pin_order: Type.Integer({ description: '0: not pinned' }),
    content_version: Type.Integer(),
  },
  { title: 'Issue' },
)

const dueDate = Type.String({ format: 'date-time', field: 'Deadline' })
const names = Type.Array(Type.String())
const ids = Type.Array(Type.Integer())

export const CreateIssueOption = Type.Object(
  {
    title: Type.String({ notEmpty: true }),
    body: Type.Optional(Type.String()),
    ref: Type.Optional(Type.String()),
    assignee: Type.Optional(Type.String({ description: 'Use `assignees`.' })),
    assignees: Type.Optional(names),
    due_date: Type.Optional(dueDate),
    milestone: Type.Optional(Type.Integer()),
    labels: Type.Optional(ids),
    projects: Type.Optional(ids),
    closed: Type.Optional(Type.Boolean()),
  },
  { title: 'CreateIssueOption' },
)

export const EditIssueOption = Type.Partial(
  Type.Object({
    title: Type.String({ description: 'Ignored when empty.' }),
    body: Type.String(),
    ref: Type.String(),
    assignee: Type.String({ description: 'Use `assignees`.' }),
    assignees: names,
    milestone: Type.Integer({ description: '0 takes it away.' }),
    state: Type.String({ description: 'open or closed' }),
    due_date: Type.String({
      format: 'date-time',
      field: 'Deadline',
      description: 'The whole of this day.',
    }),
    unset_due_date: Type.Boolean({ field: 'RemoveDeadline' }),
    projects: ids,
    content_version: Type.Integer({ description: 'The version that the edit is based on.' }),
  }),
  { title: 'EditIssueOption' },
)

export const EditDeadlineOption = Type.Partial(Type.Object({ due_date: dueDate }), {
  title: 'EditDeadlineOption',
})

export const LockIssueOption = Type.Partial(
  Type.Object({ lock_reason: Type.String({ field: 'Reason' }) }),
  { title: 'LockIssueOption' },
)

const issues = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const
const digest = { digest: 'true: with the hashes of the attachments' }

const filters = {
  state: 'open unless closed or all',
  q: 'in the title, the text or a comment, in any letter case',
  type: 'issues or pulls; both unless given',
  since: 'changed at this time or later',
  before: 'changed at this time or earlier',
  ...digest,
} as const

export const issueListIssues = {
  ...issues,
  operationId: 'issueListIssues',
  summary: 'The issues of a repository, newest first',
  query: {
    ...filters,
    labels: 'names, separated by commas: those with all of them',
    milestones: 'names or ids, separated by commas: those with any of them',
    created_by: 'by this person',
    assigned_by: 'assigned to this person',
    mentioned_by: 'addressing this person',
  },
  paged: true,
  answers: { 200: Type.Array(IssueBody) },
} satisfies Endpoint

export const issueSearchIssues = {
  operationId: 'issueSearchIssues',
  summary: 'Issues of all repositories that the caller may read, newest first',
  scope: ['issue'],
  access: 'anyone',
  publicOnly: 'public',
  query: {
    ...filters,
    labels: 'names, separated by commas: those with any of them',
    milestones: 'names, separated by commas: those with any of them',
    created_by: 'by this person',
    owner: 'in repositories of this account',
    team: 'in repositories of this team of `owner`',
    assigned: 'assigned to the caller',
    created: 'by the caller',
    mentioned: 'addressing the caller',
    review_requested: 'waiting for a review by the caller',
    reviewed: 'reviewed by the caller',
  },
  paged: true,
  answers: { 200: Type.Array(IssueBody) },
} satisfies Endpoint

export const issueCreateIssue = {
  ...issues,
  operationId: 'issueCreateIssue',
  summary: 'Open an issue',
  body: CreateIssueOption,
  idempotent: true,
  answers: { 201: IssueBody },
} satisfies Endpoint

export const issueGetIssue = {
  ...issues,
  operationId: 'issueGetIssue',
  summary: 'An issue or pull request',
  query: digest,
  answers: { 200: IssueBody, 304: 'not changed' },
} satisfies Endpoint

export const issueEditIssue = {
  ...issues,
  operationId: 'issueEditIssue',
  summary: 'Change an issue, all at once or not at all',
  body: EditIssueOption,
  answers: { 201: IssueBody },
} satisfies Endpoint

export const issueDelete = {
  ...issues,
  operationId: 'issueDelete',
  summary: 'Delete an issue with all that hangs on it',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const issueEditIssueDeadline = {
  ...issues,
  operationId: 'issueEditIssueDeadline',
  summary: 'Set the day by which an issue is due, or none',
  body: EditDeadlineOption,
  answers: { 201: Type.Object({ due_date: timeOrNull }, { title: 'IssueDeadline' }) },
} satisfies Endpoint

export const issueLockIssue = {
  ...issues,
  operationId: 'issueLockIssue',
  summary: 'Let only those who write issues comment',
  body: LockIssueOption,
  answers: { 204: 'locked' },
} satisfies Endpoint

export const issueUnlockIssue = {
  ...issues,
  operationId: 'issueUnlockIssue',
  summary: 'Let everybody comment again',
  answers: { 204: 'not locked' },
} satisfies Endpoint
