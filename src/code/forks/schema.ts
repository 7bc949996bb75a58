import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'

export const CreateForkOption = Type.Object(
  {
    organization: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ rule: 'AlphaDashDot', maxLength: 100 })),
  },
  { title: 'CreateForkOption' },
)

export const createFork = {
  operationId: 'createFork',
  summary: 'Fork a repository',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  body: CreateForkOption,
  answers: { 202: RepositoryBody },
} satisfies Endpoint

export const listForks = {
  operationId: 'listForks',
  summary: 'The forks of a repository that the caller may see',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  paged: true,
  answers: { 200: Type.Array(RepositoryBody) },
} satisfies Endpoint
