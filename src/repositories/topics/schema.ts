import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

export const RepoTopicOptions = Type.Object(
  { topics: Type.Optional(Type.Array(Type.String())) },
  { title: 'RepoTopicOptions' },
)

const TopicBody = Type.Object(
  {
    id: Type.Integer(),
    topic_name: Type.String(),
    repo_count: Type.Integer(),
    created: Type.String({ format: 'date-time' }),
    updated: Type.String({ format: 'date-time' }),
  },
  { title: 'TopicResponse' },
)

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoListTopics = {
  ...repository,
  operationId: 'repoListTopics',
  summary: 'The topics of a repository, by name',
  paged: true,
  answers: { 200: Type.Object({ topics: Type.Array(Type.String()) }, { title: 'TopicName' }) },
} satisfies Endpoint

export const repoUpdateTopics = {
  ...repository,
  operationId: 'repoUpdateTopics',
  summary: 'Replace the topics of a repository',
  body: RepoTopicOptions,
  answers: { 204: 'replaced' },
} satisfies Endpoint

export const repoAddTopic = {
  ...repository,
  operationId: 'repoAddTopic',
  summary: 'Add a topic',
  answers: { 204: 'added' },
} satisfies Endpoint

export const repoDeleteTopic = {
  ...repository,
  operationId: 'repoDeleteTopic',
  summary: 'Remove a topic',
  answers: { 204: 'removed' },
} satisfies Endpoint

export const topicSearch = {
  operationId: 'topicSearch',
  summary: 'Topics by part of their name',
  scope: ['repository'],
  access: 'anyone',
  publicOnly: 'public',
  query: { q: 'part of the name' },
  paged: 'by number or cursor',
  answers: { 200: Type.Object({ topics: Type.Array(TopicBody) }, { title: 'TopicListResponse' }) },
} satisfies Endpoint
