import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'

export const TransferRepoOption = Type.Object(
  {
    new_owner: Type.String({ notEmpty: true }),
    team_ids: Type.Optional(Type.Array(Type.Integer(), { field: 'TeamIDs' })),
  },
  { title: 'TransferRepoOption' },
)

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoTransfer = {
  ...repository,
  operationId: 'repoTransfer',
  summary: 'Hand a repository over to another owner',
  body: TransferRepoOption,
  answers: { 201: RepositoryBody, 202: RepositoryBody },
} satisfies Endpoint

export const acceptRepoTransfer = {
  ...repository,
  operationId: 'acceptRepoTransfer',
  summary: 'Accept a repository that is offered',
  answers: { 202: RepositoryBody },
} satisfies Endpoint

export const rejectRepoTransfer = {
  ...repository,
  operationId: 'rejectRepoTransfer',
  summary: 'Reject a repository that is offered',
  answers: { 200: RepositoryBody },
} satisfies Endpoint
