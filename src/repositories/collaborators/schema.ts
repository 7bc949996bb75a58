import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../../identity/users/schema.ts'

export const AddCollaboratorOption = Type.Object(
  {
    permission: Type.Optional(Type.String({ description: 'read, write (unless given) or admin' })),
  },
  { title: 'AddCollaboratorOption' },
)

const PermissionBody = Type.Object(
  { permission: Type.String(), role_name: Type.String(), user: UserBody },
  { title: 'RepoCollaboratorPermission' },
)

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const people = { 200: Type.Array(UserBody) } as const

export const repoListCollaborators = {
  ...repository,
  operationId: 'repoListCollaborators',
  summary: 'Who collaborates, beside the owner and teams',
  paged: true,
  answers: people,
} satisfies Endpoint

export const repoCheckCollaborator = {
  ...repository,
  operationId: 'repoCheckCollaborator',
  summary: 'Whether somebody collaborates',
  answers: { 204: 'collaborates' },
} satisfies Endpoint

export const repoAddCollaborator = {
  ...repository,
  operationId: 'repoAddCollaborator',
  summary: 'Add a collaborator, or change the level',
  body: AddCollaboratorOption,
  answers: { 204: 'added' },
} satisfies Endpoint

export const repoDeleteCollaborator = {
  ...repository,
  operationId: 'repoDeleteCollaborator',
  summary: 'Remove a collaborator',
  answers: { 204: 'removed' },
} satisfies Endpoint

export const repoGetRepoPermissions = {
  ...repository,
  operationId: 'repoGetRepoPermissions',
  summary: 'The level that somebody has',
  answers: { 200: PermissionBody },
} satisfies Endpoint

export const repoGetAssignees = {
  ...repository,
  operationId: 'repoGetAssignees',
  summary: 'Who can be assigned to issues',
  answers: people,
} satisfies Endpoint

export const repoGetReviewers = {
  ...repository,
  operationId: 'repoGetReviewers',
  summary: 'Who can be asked for a review',
  answers: people,
} satisfies Endpoint
