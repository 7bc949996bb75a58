import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { TeamBody } from '../../identity/organizations/team-schema.ts'
import { UserBody } from '../../identity/users/schema.ts'

const time = Type.String({ format: 'date-time' })
const flag = Type.Boolean()
const text = Type.String()
const count = Type.Integer()

const head = {
  id: count,
  owner: UserBody,
  name: text,
  full_name: text,
  description: text,
  empty: flag,
  private: flag,
  fork: flag,
  template: flag,
}

const rest = {
  mirror: flag,
  size: Type.Integer({ description: 'In KiB.' }),
  language: text,
  languages_url: text,
  html_url: text,
  url: text,
  link: text,
  ssh_url: text,
  clone_url: text,
  original_url: text,
  website: text,
  stars_count: count,
  forks_count: count,
  watchers_count: count,
  branch_count: count,
  open_issues_count: count,
  open_pr_counter: count,
  release_counter: count,
  default_branch: text,
  archived: flag,
  created_at: time,
  updated_at: time,
  archived_at: time,
  permissions: Type.Object({ admin: flag, push: flag, pull: flag }),
  has_code: flag,
  has_issues: flag,
  internal_tracker: Type.Optional(
    Type.Object({
      enable_time_tracker: flag,
      allow_only_contributors_to_track_time: flag,
      enable_issue_dependencies: flag,
    }),
  ),
  external_tracker: Type.Optional(
    Type.Object({
      external_tracker_url: text,
      external_tracker_format: text,
      external_tracker_style: text,
      external_tracker_regexp_pattern: text,
    }),
  ),
  has_wiki: flag,
  external_wiki: Type.Optional(Type.Object({ external_wiki_url: text })),
  has_pull_requests: flag,
  has_projects: flag,
  projects_mode: text,
  has_releases: flag,
  has_packages: flag,
  has_actions: flag,
  ignore_whitespace_conflicts: flag,
  allow_merge_commits: flag,
  allow_rebase: flag,
  allow_rebase_explicit: flag,
  allow_squash_merge: flag,
  allow_fast_forward_only_merge: flag,
  allow_merge_update: flag,
  allow_rebase_update: flag,
  allow_manual_merge: flag,
  autodetect_manual_merge: flag,
  default_delete_branch_after_merge: flag,
  default_merge_style: text,
  default_update_style: text,
  default_allow_maintainer_edit: flag,
  avatar_url: text,
  internal: flag,
  mirror_interval: text,
  object_format_name: text,
  mirror_updated: time,
  mirror_last_sync_at: time,
  mirror_status: Type.Optional(
    Type.Object(
      {
        state: Type.String({ description: 'syncing, queued, failing or ok' }),
        last_error: text,
        failures: Type.Integer({ description: 'since it last worked' }),
        next_attempt: Type.Union([time, Type.Null()]),
        paused: flag,
      },
      { description: 'how a mirror keeps up with its remote; absent unless it is one' },
    ),
  ),
  repo_transfer: Type.Optional(
    Type.Object({ doer: UserBody, recipient: UserBody, teams: Type.Array(TeamBody) }),
  ),
  topics: Type.Array(text),
  licenses: Type.Array(text),
}

export type BaseRepositoryBody = Static<typeof BaseRepositoryBody>
/** A repository as the `parent` of another: one level only. */
const BaseRepositoryBody = Type.Object({ ...head, ...rest }, { title: 'ParentRepository' })

export type RepositoryBody = Static<typeof RepositoryBody>
export const RepositoryBody = Type.Object(
  { ...head, parent: Type.Optional(BaseRepositoryBody), ...rest },
  { title: 'Repository' },
)

export const CreateRepoOption = Type.Object(
  {
    name: Type.String({ notEmpty: true, rule: 'AlphaDashDot', maxLength: 100 }),
    description: Type.Optional(Type.String({ maxLength: 2048 })),
    private: Type.Optional(flag),
    issue_labels: Type.Optional(Type.String({ maxLength: 255 })),
    auto_init: Type.Optional(flag),
    template: Type.Optional(flag),
    gitignores: Type.Optional(Type.String({ maxLength: 1024 })),
    license: Type.Optional(Type.String({ maxLength: 100 })),
    readme: Type.Optional(Type.String({ maxLength: 255 })),
    default_branch: Type.Optional(Type.String({ rule: 'NewBranchName', maxLength: 100 })),
    trust_model: Type.Optional(text),
    object_format_name: Type.Optional(Type.String({ maxLength: 6 })),
  },
  { title: 'CreateRepoOption' },
)

export const EditRepoOption = Type.Partial(
  Type.Object({
    name: Type.String({ rule: 'AlphaDashDot', maxLength: 100 }),
    description: Type.String({ maxLength: 2048 }),
    website: Type.String({ maxLength: 1024 }),
    private: flag,
    template: flag,
    default_branch: text,
    has_code: flag,
    has_issues: flag,
    internal_tracker: Type.Partial(
      Type.Object({
        enable_time_tracker: flag,
        allow_only_contributors_to_track_time: flag,
        enable_issue_dependencies: flag,
      }),
    ),
    external_tracker: Type.Partial(
      Type.Object({
        external_tracker_url: Type.String({ field: 'ExternalTrackerURL' }),
        external_tracker_format: text,
        external_tracker_style: text,
        external_tracker_regexp_pattern: text,
      }),
    ),
    has_wiki: flag,
    external_wiki: Type.Partial(
      Type.Object({ external_wiki_url: Type.String({ field: 'ExternalWikiURL' }) }),
    ),
    has_pull_requests: flag,
    ignore_whitespace_conflicts: flag,
    allow_merge_commits: Type.Boolean({ field: 'AllowMerge' }),
    allow_rebase: flag,
    allow_rebase_explicit: Type.Boolean({ field: 'AllowRebaseMerge' }),
    allow_squash_merge: Type.Boolean({ field: 'AllowSquash' }),
    allow_fast_forward_only_merge: Type.Boolean({ field: 'AllowFastForwardOnly' }),
    allow_manual_merge: flag,
    autodetect_manual_merge: flag,
    allow_merge_update: flag,
    allow_rebase_update: flag,
    default_delete_branch_after_merge: flag,
    default_merge_style: text,
    default_update_style: text,
    default_allow_maintainer_edit: flag,
    has_projects: flag,
    projects_mode: Type.String({ enum: ['repo', 'owner', 'all'] }),
    has_releases: flag,
    has_packages: flag,
    has_actions: flag,
    archived: flag,
    mirror_interval: text,
    enable_prune: flag,
    mirror_username: text,
    mirror_password: text,
    mirror_token: text,
  }),
  { title: 'EditRepoOption' },
)

export const createCurrentUserRepo = {
  operationId: 'createCurrentUserRepo',
  summary: 'Create a repository of the caller',
  scope: ['user', 'repository'],
  access: 'signed-in',
  publicOnly: 'refused',
  refusesOrganizations: true,
  body: CreateRepoOption,
  idempotent: true,
  answers: { 201: RepositoryBody },
} satisfies Endpoint

export const createOrgRepo = {
  operationId: 'createOrgRepo',
  summary: 'Create a repository in an organization',
  scope: ['organization', 'repository'],
  access: 'visible',
  publicOnly: 'public',
  body: CreateRepoOption,
  idempotent: true,
  answers: { 201: RepositoryBody },
} satisfies Endpoint

export const createOrgRepoDeprecated = {
  ...createOrgRepo,
  scope: [['organization', 'repository']],
  operationId: 'createOrgRepoDeprecated',
  summary: 'The same at its older address',
  access: 'signed-in',
  publicOnly: 'public',
} satisfies Endpoint

export const adminCreateRepo = {
  operationId: 'adminCreateRepo',
  summary: 'Create a repository for somebody else',
  scope: ['admin'],
  access: 'site-admin',
  publicOnly: 'public',
  body: CreateRepoOption,
  answers: { 201: RepositoryBody },
} satisfies Endpoint

export const repoGet = {
  operationId: 'repoGet',
  summary: 'A repository',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 200: RepositoryBody },
} satisfies Endpoint

export const repoGetByID = {
  operationId: 'repoGetByID',
  summary: 'A repository by its id',
  scope: ['repository'],
  access: 'signed-in',
  publicOnly: 'public',
  answers: { 200: RepositoryBody },
} satisfies Endpoint

export const repoEdit = {
  operationId: 'repoEdit',
  summary: 'Change a repository; only fields that are present',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  body: EditRepoOption,
  answers: { 200: RepositoryBody },
} satisfies Endpoint

export const repoDelete = {
  operationId: 'repoDelete',
  summary: 'Delete a repository',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const orgDeleteRepos = {
  operationId: 'orgDeleteRepos',
  summary: 'Delete all repositories of an organization, one after the other',
  scope: ['organization', 'repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 202: 'they are being deleted', 204: 'there are none' },
} satisfies Endpoint
