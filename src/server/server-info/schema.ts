import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

const VersionBody = Type.Object({ version: Type.String() }, { title: 'ServerVersion' })

const ApiSettingsBody = Type.Object(
  {
    max_response_items: Type.Integer(),
    default_paging_num: Type.Integer(),
    default_git_trees_per_page: Type.Integer(),
    default_max_blob_size: Type.Integer(),
    default_max_response_size: Type.Integer(),
  },
  { title: 'GeneralAPISettings' },
)

const AttachmentSettingsBody = Type.Object(
  {
    enabled: Type.Boolean(),
    allowed_types: Type.String(),
    max_size: Type.Integer({ description: 'In MiB.' }),
    max_files: Type.Integer(),
  },
  { title: 'GeneralAttachmentSettings' },
)

const RepositorySettingsBody = Type.Object(
  {
    mirrors_disabled: Type.Boolean(),
    http_git_disabled: Type.Boolean(),
    migrations_disabled: Type.Boolean(),
    stars_disabled: Type.Boolean(),
    time_tracking_disabled: Type.Boolean(),
    lfs_disabled: Type.Boolean(),
  },
  { title: 'GeneralRepoSettings' },
)

const UiSettingsBody = Type.Object(
  {
    default_theme: Type.String(),
    allowed_reactions: Type.Array(Type.String()),
    custom_emojis: Type.Array(Type.String()),
  },
  { title: 'GeneralUISettings' },
)

const NodeInfoBody = Type.Object(
  {
    version: Type.String(),
    software: Type.Object({
      name: Type.String(),
      version: Type.String(),
      repository: Type.String(),
      homepage: Type.String(),
    }),
    protocols: Type.Array(Type.String()),
    services: Type.Object({
      inbound: Type.Array(Type.String()),
      outbound: Type.Array(Type.String()),
    }),
    openRegistrations: Type.Boolean(),
    usage: Type.Object({
      users: Type.Object({
        total: Type.Integer(),
        activeHalfyear: Type.Integer(),
        activeMonth: Type.Integer(),
      }),
      localPosts: Type.Integer(),
      localComments: Type.Integer(),
    }),
    metadata: Type.Object({}),
  },
  { title: 'NodeInfo' },
)

const open = { scope: [], access: 'anyone', publicOnly: 'public' } as const

export const getVersion = {
  ...open,
  operationId: 'getVersion',
  summary: 'The version of the contract that this server speaks',
  answers: { 200: VersionBody },
} satisfies Endpoint

export const getGeneralAPISettings = {
  ...open,
  operationId: 'getGeneralAPISettings',
  summary: 'Page sizes and limits',
  answers: { 200: ApiSettingsBody },
} satisfies Endpoint

export const getGeneralAttachmentSettings = {
  ...open,
  operationId: 'getGeneralAttachmentSettings',
  summary: 'What may be attached to issues',
  answers: { 200: AttachmentSettingsBody },
} satisfies Endpoint

export const getGeneralRepositorySettings = {
  ...open,
  operationId: 'getGeneralRepositorySettings',
  summary: 'Which features of repositories are switched off',
  answers: { 200: RepositorySettingsBody },
} satisfies Endpoint

export const getGeneralUISettings = {
  ...open,
  operationId: 'getGeneralUISettings',
  summary: 'Theme, reactions and emojis',
  answers: { 200: UiSettingsBody },
} satisfies Endpoint

export const getNodeInfo = {
  ...open,
  operationId: 'getNodeInfo',
  summary: 'This server in the words of federated services',
  answers: { 200: NodeInfoBody },
} satisfies Endpoint

export const getSwagger = {
  ...open,
  operationId: 'getSwagger',
  summary: 'The way to the description of the API',
  answers: { 303: 'sent to the reference page' },
} satisfies Endpoint

const key = Type.String({
  description: 'This server signs nothing and has none: 404.',
  contentMediaType: 'text/plain',
})

export const getSigningKey = {
  ...open,
  operationId: 'getSigningKey',
  summary: 'The GPG key with which the server signs commits',
  answers: { 200: key },
} satisfies Endpoint

export const getSigningKeySSH = {
  ...open,
  operationId: 'getSigningKeySSH',
  summary: 'The SSH key with which the server signs commits',
  answers: { 200: key },
} satisfies Endpoint

const ofRepository = {
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 200: key },
} as const

export const repoSigningKey = {
  ...ofRepository,
  operationId: 'repoSigningKey',
  summary: 'The GPG key with which the server signs commits of a repository',
} satisfies Endpoint

export const repoSigningKeySSH = {
  ...ofRepository,
  operationId: 'repoSigningKeySSH',
  summary: 'The SSH key with which the server signs commits of a repository',
} satisfies Endpoint
