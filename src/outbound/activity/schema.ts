import { Type } from 'typebox'
import { CommentBody } from '../../collaboration/comments/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'
import { UserBody } from '../../identity/users/schema.ts'

export const ActivityBody = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    op_type: Type.String(),
    act_user_id: Type.Integer(),
    act_user: UserBody,
    repo_id: Type.Integer(),
    repo: RepositoryBody,
    comment_id: Type.Integer(),
    comment: Type.Union([CommentBody, Type.Null()]),
    ref_name: Type.String(),
    is_private: Type.Boolean(),
    content: Type.String(),
    created: Type.String({ format: 'date-time' }),
  },
  { title: 'Activity' },
)

export const repoListActivityFeeds = {
  operationId: 'repoListActivityFeeds',
  summary: 'What has happened in a repository, newest first',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  query: { date: 'one day, as YYYY-MM-DD' },
  paged: true,
  answers: { 200: Type.Array(ActivityBody) },
} satisfies Endpoint

const feed = {
  query: { date: 'one day, as YYYY-MM-DD' },
  paged: true,
  answers: { 200: Type.Array(ActivityBody) },
} as const

export const userListActivityFeeds = {
  ...feed,
  operationId: 'userListActivityFeeds',
  summary: 'What somebody has done, newest first',
  scope: ['user'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint

export const orgListActivityFeeds = {
  ...feed,
  operationId: 'orgListActivityFeeds',
  summary: 'What has happened in the repositories of an organization, newest first',
  scope: ['organization'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint

export const orgListTeamActivityFeeds = {
  ...feed,
  operationId: 'orgListTeamActivityFeeds',
  summary: 'What has happened in the repositories of a team, newest first',
  scope: ['organization'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint

export const userGetHeatmapData = {
  operationId: 'userGetHeatmapData',
  summary: 'How often somebody did something in the last year, by quarters of an hour',
  scope: ['user'],
  access: 'visible',
  publicOnly: 'public',
  answers: {
    200: Type.Array(
      Type.Object(
        { timestamp: Type.Integer(), contributions: Type.Integer() },
        { title: 'UserHeatmapData' },
      ),
    ),
  },
} satisfies Endpoint
