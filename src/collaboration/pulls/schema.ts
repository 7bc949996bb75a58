import { Type, type Static } from 'typebox'
import { CommitBody, Patch } from '../../code/commits/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { LabelBody } from '../../repositories/labels/schema.ts'
import { MilestoneBody } from '../milestones/schema.ts'
import { TeamBody } from '../../identity/organizations/team-schema.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'
import { UserBody } from '../../identity/users/schema.ts'

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const userOrNull = Type.Union([UserBody, Type.Null()])

export type SideBody = Static<typeof SideBody>
const SideBody = Type.Object(
  {
    label: Type.String({ description: 'The name of the branch.' }),
    ref: Type.String({ description: 'The same; another reference when the branch is gone.' }),
    sha: Type.String(),
    repo_id: Type.Integer({ description: '-1: it is gone' }),
    repo: Type.Union([RepositoryBody, Type.Null()]),
  },
  { title: 'PRBranchInfo' },
)

export type PullRequestBody = Static<typeof PullRequestBody>
export const PullRequestBody = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    number: Type.Integer(),
    user: UserBody,
    title: Type.String(),
    body: Type.String(),
    labels: Type.Array(LabelBody),
    milestone: Type.Union([MilestoneBody, Type.Null()]),
    assignee: Type.Union([UserBody, Type.Null()], { description: 'The first of `assignees`.' }),
    assignees: Type.Array(UserBody),
    requested_reviewers: Type.Array(UserBody),
    requested_reviewers_teams: Type.Array(TeamBody),
    state: Type.String({ description: 'open or closed' }),
    draft: Type.Boolean(),
    is_locked: Type.Boolean(),
    comments: Type.Integer(),
    review_comments: Type.Integer(),
    additions: Type.Integer(),
    deletions: Type.Integer(),
    changed_files: Type.Integer(),
    html_url: Type.String(),
    diff_url: Type.String(),
    patch_url: Type.String(),
    mergeable: Type.Boolean(),
    merged: Type.Boolean(),
    merged_at: timeOrNull,
    merge_commit_sha: Type.Union([Type.String(), Type.Null()]),
    merged_by: userOrNull,
    allow_maintainer_edit: Type.Boolean(),
    base: SideBody,
    head: SideBody,
    merge_base: Type.String(),
    due_date: timeOrNull,
    created_at: timeOrNull,
    updated_at: timeOrNull,
    closed_at: timeOrNull,
    pin_order: Type.Integer({ description: '0: not pinned' }),
    content_version: Type.Integer(),
  },
  { title: 'PullRequest' },
)

const names = Type.Array(Type.String())
const ids = Type.Array(Type.Integer())
const head = 'A branch; `owner:branch` or `owner/repository:branch` in another repository.'

export const CreatePullRequestOption = Type.Object(
  {
    head: Type.String({ notEmpty: true, description: head }),
    base: Type.String({ notEmpty: true }),
    title: Type.String({ notEmpty: true }),
    body: Type.Optional(Type.String()),
    assignee: Type.Optional(Type.String({ description: 'Use `assignees`.' })),
    assignees: Type.Optional(names),
    milestone: Type.Optional(Type.Integer()),
    labels: Type.Optional(ids),
    due_date: Type.Optional(Type.String({ format: 'date-time', field: 'Deadline' })),
    reviewers: Type.Optional(names),
    team_reviewers: Type.Optional(names),
    allow_maintainer_edit: Type.Optional(Type.Boolean()),
  },
  { title: 'CreatePullRequestOption' },
)

export const EditPullRequestOption = Type.Partial(
  Type.Object({
    title: Type.String({ description: 'Ignored when empty.' }),
    body: Type.String(),
    base: Type.String(),
    assignee: Type.String({ description: 'Use `assignees`.' }),
    assignees: names,
    milestone: Type.Integer({ description: '0 leaves it as it is.' }),
    labels: Type.Array(Type.Integer(), { description: 'In place of those it has.' }),
    state: Type.String({ description: 'open or closed' }),
    due_date: Type.String({ format: 'date-time', field: 'Deadline' }),
    unset_due_date: Type.Boolean({ field: 'RemoveDeadline' }),
    allow_maintainer_edit: Type.Boolean(),
    content_version: Type.Integer({ description: 'The version that the edit is based on.' }),
  }),
  { title: 'EditPullRequestOption' },
)

export type ChangedFileBody = Static<typeof ChangedFileBody>
const ChangedFileBody = Type.Object(
  {
    filename: Type.String(),
    previous_filename: Type.Optional(Type.String()),
    status: Type.String({ description: 'added, changed, deleted, renamed or copied' }),
    additions: Type.Integer(),
    deletions: Type.Integer(),
    changes: Type.Integer(),
    html_url: Type.Optional(Type.String()),
    contents_url: Type.Optional(Type.String()),
    raw_url: Type.Optional(Type.String()),
  },
  { title: 'ChangedFile' },
)

const pulls = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoListPullRequests = {
  ...pulls,
  operationId: 'repoListPullRequests',
  summary: 'The pull requests of a repository, newest first',
  query: {
    state: 'all unless open or closed',
    sort: 'oldest, recentupdate, leastupdate, recentclose, mostcomment, leastcomment or priority',
    milestone: 'with this milestone',
    labels: 'with all of these labels, by their ids',
    poster: 'by this person',
    base_branch: 'into this branch',
  },
  paged: true,
  answers: { 200: Type.Array(PullRequestBody) },
} satisfies Endpoint

export const repoCreatePullRequest = {
  ...pulls,
  operationId: 'repoCreatePullRequest',
  summary: 'Ask for a branch to be merged into another',
  body: CreatePullRequestOption,
  idempotent: true,
  answers: { 201: PullRequestBody },
} satisfies Endpoint

export const repoListPinnedPullRequests = {
  ...pulls,
  operationId: 'repoListPinnedPullRequests',
  summary: 'The pinned pull requests of a repository',
  answers: { 200: Type.Array(PullRequestBody) },
} satisfies Endpoint

export const repoGetPullRequest = {
  ...pulls,
  operationId: 'repoGetPullRequest',
  summary: 'A pull request; with .diff or .patch behind its number, what it changes',
  query: { binary: 'whether a .diff or .patch has the content of binary files' },
  answers: { 200: Type.Union([PullRequestBody, Patch]) },
} satisfies Endpoint

export const repoGetPullRequestByBaseHead = {
  ...pulls,
  operationId: 'repoGetPullRequestByBaseHead',
  summary: 'The pull request between two branches, whatever its state',
  answers: { 200: PullRequestBody },
} satisfies Endpoint

export const repoGetCommitPullRequest = {
  ...pulls,
  operationId: 'repoGetCommitPullRequest',
  summary: 'The pull request that was merged by a commit',
  answers: { 200: PullRequestBody },
} satisfies Endpoint

export const repoEditPullRequest = {
  ...pulls,
  operationId: 'repoEditPullRequest',
  summary: 'Change a pull request, all at once or not at all',
  body: EditPullRequestOption,
  answers: { 201: PullRequestBody },
} satisfies Endpoint

export const repoGetPullRequestFiles = {
  ...pulls,
  operationId: 'repoGetPullRequestFiles',
  summary: 'The files that a pull request changes',
  query: {
    'skip-to': 'begin with this file',
    whitespace: 'ignore-all, ignore-change, ignore-eol or show-all',
  },
  paged: true,
  answers: { 200: Type.Array(ChangedFileBody) },
} satisfies Endpoint

export const repoGetPullRequestCommits = {
  ...pulls,
  operationId: 'repoGetPullRequestCommits',
  summary: 'The commits of a pull request, newest first',
  query: {
    files: 'whether to name the changed files of each; true unless given',
    verification: 'whether to tell of signatures; true unless given',
  },
  paged: true,
  answers: { 200: Type.Array(CommitBody) },
} satisfies Endpoint
