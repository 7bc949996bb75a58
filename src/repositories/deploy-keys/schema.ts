import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../repository/schema.ts'

export type DeployKeyBody = Static<typeof DeployKeyBody>
export const DeployKeyBody = Type.Object(
  {
    id: Type.Integer(),
    key_id: Type.Integer({ description: 'the same wherever this key is used' }),
    key: Type.String(),
    url: Type.String(),
    title: Type.String(),
    fingerprint: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    read_only: Type.Boolean(),
    repository: Type.Optional(RepositoryBody),
  },
  { title: 'DeployKey' },
)

export const CreateDeployKeyOption = Type.Object(
  {
    title: Type.String({ notEmpty: true, maxLength: 255 }),
    key: Type.String({ notEmpty: true, maxLength: 16_384 }),
    read_only: Type.Optional(Type.Boolean()),
  },
  { title: 'CreateDeployKeyOption' },
)

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoListKeys = {
  ...repository,
  operationId: 'repoListKeys',
  summary: 'The deploy keys of a repository',
  query: {
    key_id: 'only the key with this number',
    fingerprint: 'only the key with this fingerprint',
  },
  paged: true,
  answers: { 200: Type.Array(DeployKeyBody) },
} satisfies Endpoint

export const repoCreateKey = {
  ...repository,
  operationId: 'repoCreateKey',
  summary: 'Add a deploy key',
  body: CreateDeployKeyOption,
  answers: { 201: DeployKeyBody },
} satisfies Endpoint

export const repoGetKey = {
  ...repository,
  operationId: 'repoGetKey',
  summary: 'A deploy key',
  answers: { 200: DeployKeyBody },
} satisfies Endpoint

export const repoDeleteKey = {
  ...repository,
  operationId: 'repoDeleteKey',
  summary: 'Delete a deploy key, if there is one of this number',
  answers: { 204: 'deleted' },
} satisfies Endpoint
