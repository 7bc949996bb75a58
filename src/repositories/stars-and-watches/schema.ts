import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../repository/schema.ts'
import { UserBody } from '../../identity/users/schema.ts'

export const WatchInfoBody = Type.Object(
  {
    subscribed: Type.Boolean(),
    ignored: Type.Boolean(),
    reason: Type.Null(),
    created_at: Type.String({ format: 'date-time' }),
    url: Type.String(),
    repository_url: Type.String(),
  },
  { title: 'WatchInfo' },
)

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const own = {
  scope: ['user', 'repository'],
  access: 'signed-in',
  publicOnly: 'public account',
} as const
const people = { paged: true, answers: { 200: Type.Array(UserBody) } } as const
const repositories = { paged: true, answers: { 200: Type.Array(RepositoryBody) } } as const

export const repoListStargazers = {
  ...repository,
  ...people,
  operationId: 'repoListStargazers',
  summary: 'Who has starred a repository, earliest first',
} satisfies Endpoint

export const repoListSubscribers = {
  ...repository,
  ...people,
  operationId: 'repoListSubscribers',
  summary: 'Who watches a repository',
} satisfies Endpoint

export const userCurrentListStarred = {
  ...own,
  ...repositories,
  operationId: 'userCurrentListStarred',
  summary: 'What the caller has starred',
} satisfies Endpoint

export const userListStarred = {
  ...repositories,
  operationId: 'userListStarred',
  summary: 'What somebody has starred',
  scope: ['user'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint

export const userCurrentCheckStarring = {
  ...own,
  operationId: 'userCurrentCheckStarring',
  summary: 'Whether the caller has starred a repository',
  answers: { 204: 'starred' },
} satisfies Endpoint

export const userCurrentPutStar = {
  ...own,
  operationId: 'userCurrentPutStar',
  summary: 'Star a repository',
  answers: { 204: 'starred' },
} satisfies Endpoint

export const userCurrentDeleteStar = {
  ...own,
  operationId: 'userCurrentDeleteStar',
  summary: 'Take the star back',
  answers: { 204: 'not starred' },
} satisfies Endpoint

export const userCurrentCheckSubscription = {
  ...repository,
  operationId: 'userCurrentCheckSubscription',
  summary: 'Whether the caller watches a repository',
  answers: { 200: WatchInfoBody },
} satisfies Endpoint

export const userCurrentPutSubscription = {
  ...repository,
  operationId: 'userCurrentPutSubscription',
  summary: 'Watch a repository',
  answers: { 200: WatchInfoBody },
} satisfies Endpoint

export const userCurrentDeleteSubscription = {
  ...repository,
  operationId: 'userCurrentDeleteSubscription',
  summary: 'Watch a repository no longer',
  answers: { 204: 'not watched' },
} satisfies Endpoint

export const userCurrentListSubscriptions = {
  ...repositories,
  operationId: 'userCurrentListSubscriptions',
  summary: 'What the caller watches',
  scope: ['user'],
  access: 'signed-in',
  publicOnly: 'public account',
} satisfies Endpoint

export const userListSubscriptions = {
  ...repositories,
  operationId: 'userListSubscriptions',
  summary: 'What somebody watches',
  scope: ['user'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint
