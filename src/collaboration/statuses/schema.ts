import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'
import { UserBody } from '../../identity/users/schema.ts'
import { states } from './status.ts'

const time = Type.String({ format: 'date-time' })

export type CommitStatusBody = Static<typeof CommitStatusBody>
export const CommitStatusBody = Type.Object(
  {
    id: Type.Integer({ description: 'counted up for each commit' }),
    status: Type.String(),
    target_url: Type.String(),
    description: Type.String(),
    url: Type.String(),
    context: Type.String(),
    creator: Type.Union([UserBody, Type.Null()]),
    created_at: time,
    updated_at: time,
  },
  { title: 'CommitStatus' },
)

export type CombinedStatusBody = Static<typeof CombinedStatusBody>
export const CombinedStatusBody = Type.Object(
  {
    state: Type.String(),
    sha: Type.String(),
    total_count: Type.Integer({ description: 'the number of contexts' }),
    statuses: Type.Union([Type.Array(CommitStatusBody), Type.Null()]),
    repository: RepositoryBody,
    commit_url: Type.String(),
    url: Type.String(),
  },
  { title: 'CombinedStatus' },
)

export const CreateStatusOption = Type.Object(
  {
    state: Type.String({ notEmpty: true, enum: states }),
    target_url: Type.Optional(Type.String({ maxLength: 2048, field: 'TargetURL' })),
    description: Type.Optional(Type.String({ maxLength: 2048 })),
    context: Type.Optional(Type.String({ maxLength: 2048 })),
  },
  { title: 'CreateStatusOption' },
)

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const statusList = {
  ...repository,
  query: {
    sort: 'oldest, leastupdate and leastindex begin with the first; newest first unless given',
    state: 'only those in this state',
  },
  paged: true,
  answers: { 200: Type.Array(CommitStatusBody) },
} as const

export const repoCreateStatus = {
  ...repository,
  operationId: 'repoCreateStatus',
  summary: 'Say how a commit fares in one context',
  body: CreateStatusOption,
  answers: { 201: CommitStatusBody },
} satisfies Endpoint

export const repoListStatuses = {
  ...statusList,
  operationId: 'repoListStatuses',
  summary: 'All statuses of a commit',
} satisfies Endpoint

export const repoListStatusesByRef = {
  ...statusList,
  operationId: 'repoListStatusesByRef',
  summary: 'All statuses of the commit of a branch or tag',
} satisfies Endpoint

export const repoGetCombinedStatusByRef = {
  ...repository,
  operationId: 'repoGetCombinedStatusByRef',
  summary: 'How a commit fares: the last status of each context, and what they come to',
  paged: true,
  answers: { 200: CombinedStatusBody },
} satisfies Endpoint
