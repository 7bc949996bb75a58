import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Boolean())
const secret = Type.Optional(Type.String({ maxLength: 4096 }))

export const MigrateRepoOptions = Type.Object(
  {
    clone_addr: Type.String({ notEmpty: true, maxLength: 4096 }),
    uid: Type.Optional(Type.Integer({ field: 'RepoOwnerID' })),
    repo_owner: text,
    repo_name: Type.String({ notEmpty: true, rule: 'AlphaDashDot', maxLength: 100 }),
    service: text,
    auth_username: secret,
    auth_password: secret,
    auth_token: secret,
    mirror: flag,
    lfs: flag,
    lfs_endpoint: Type.Optional(Type.String({ field: 'LFSEndpoint', maxLength: 4096 })),
    private: flag,
    description: Type.Optional(Type.String({ maxLength: 2048 })),
    wiki: flag,
    milestones: flag,
    labels: flag,
    issues: flag,
    pull_requests: flag,
    releases: flag,
    mirror_interval: text,
    aws_access_key_id: secret,
    aws_secret_access_key: secret,
  },
  { title: 'MigrateRepoOptions' },
)

export const CreatePushMirrorOption = Type.Object(
  {
    remote_address: Type.Optional(Type.String({ maxLength: 4096 })),
    remote_username: secret,
    remote_password: secret,
    interval: text,
    sync_on_commit: flag,
  },
  { title: 'CreatePushMirrorOption' },
)

export type PushMirrorBody = Static<typeof PushMirrorBody>
export const PushMirrorBody = Type.Object(
  {
    repo_name: Type.String(),
    remote_name: Type.String(),
    remote_address: Type.String(),
    created: Type.String({ format: 'date-time' }),
    last_update: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    last_error: Type.String(),
    interval: Type.String(),
    sync_on_commit: Type.Boolean(),
  },
  { title: 'PushMirror' },
)

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoMigrate = {
  operationId: 'repoMigrate',
  summary: 'Copy a repository from another server, or mirror it',
  scope: ['repository'],
  access: 'signed-in',
  publicOnly: 'refused',
  body: MigrateRepoOptions,
  answers: { 201: RepositoryBody },
} satisfies Endpoint

export const repoMirrorSync = {
  ...repository,
  operationId: 'repoMirrorSync',
  summary: 'Synchronise a mirror soon',
  answers: { 200: 'queued' },
} satisfies Endpoint

export const repoListPushMirrors = {
  ...repository,
  operationId: 'repoListPushMirrors',
  summary: 'The remotes that a repository is pushed to',
  paged: true,
  answers: { 200: Type.Array(PushMirrorBody) },
} satisfies Endpoint

export const repoAddPushMirror = {
  ...repository,
  operationId: 'repoAddPushMirror',
  summary: 'Add a remote that a repository is pushed to',
  body: CreatePushMirrorOption,
  answers: { 200: PushMirrorBody },
} satisfies Endpoint

export const repoGetPushMirrorByRemoteName = {
  ...repository,
  operationId: 'repoGetPushMirrorByRemoteName',
  summary: 'A remote that a repository is pushed to',
  answers: { 200: PushMirrorBody },
} satisfies Endpoint

export const repoDeletePushMirror = {
  ...repository,
  operationId: 'repoDeletePushMirror',
  summary: 'Remove a remote, if there is one of this name',
  answers: { 204: 'removed' },
} satisfies Endpoint

export const repoPushMirrorSync = {
  ...repository,
  operationId: 'repoPushMirrorSync',
  summary: 'Push to all remotes now',
  answers: { 200: 'pushed to all of them' },
} satisfies Endpoint
