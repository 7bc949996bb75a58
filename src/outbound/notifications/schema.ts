import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'

export type ThreadBody = Static<typeof ThreadBody>
export const ThreadBody = Type.Object(
  {
    id: Type.Integer(),
    repository: RepositoryBody,
    subject: Type.Object(
      {
        title: Type.String(),
        url: Type.String(),
        latest_comment_url: Type.String(),
        html_url: Type.String(),
        latest_comment_html_url: Type.String(),
        type: Type.String({ description: 'Issue, Pull, Commit or Repository' }),
        state: Type.String({ description: 'open, closed, merged or nothing' }),
      },
      { title: 'NotificationSubject' },
    ),
    unread: Type.Boolean(),
    pinned: Type.Boolean(),
    updated_at: Type.String({ format: 'date-time' }),
    url: Type.String(),
  },
  { title: 'NotificationThread' },
)

const own = { scope: ['notification'], access: 'signed-in', publicOnly: 'refused' } as const
const ofRepository = { scope: ['notification'], access: 'visible', publicOnly: 'public' } as const

const list = {
  query: {
    all: 'also those that were read',
    'status-types': 'unread, read or pinned, repeated; unread and pinned unless given',
    'subject-type': 'issue, pull, commit or repository, repeated',
    since: 'changed at this time or later',
    before: 'changed at this time or earlier',
  },
  paged: true,
  answers: { 200: Type.Array(ThreadBody) },
} as const

const mark = {
  query: {
    last_read_at: 'those that changed until then; until now unless given',
    all: 'of whatever status',
    'status-types': 'unread, read or pinned, repeated; unread unless given',
    'to-status': 'read unless unread or pinned',
  },
  answers: { 205: Type.Array(ThreadBody) },
} as const

export const notifyGetList = {
  ...own,
  ...list,
  operationId: 'notifyGetList',
  summary: 'What the caller is told of, newest first',
} satisfies Endpoint

export const notifyReadList = {
  ...own,
  ...mark,
  operationId: 'notifyReadList',
  summary: 'Mark notifications as read, unread or pinned',
} satisfies Endpoint

export const notifyNewAvailable = {
  ...own,
  operationId: 'notifyNewAvailable',
  summary: 'How many notifications are unread',
  answers: { 200: Type.Object({ new: Type.Integer() }, { title: 'NotificationCount' }) },
} satisfies Endpoint

export const notifyGetThread = {
  ...own,
  operationId: 'notifyGetThread',
  summary: 'A notification of the caller',
  answers: { 200: ThreadBody },
} satisfies Endpoint

export const notifyReadThread = {
  ...own,
  operationId: 'notifyReadThread',
  summary: 'Mark a notification as read, unread or pinned',
  query: { 'to-status': 'read unless unread or pinned' },
  answers: { 205: ThreadBody },
} satisfies Endpoint

export const notifyGetRepoList = {
  ...ofRepository,
  ...list,
  operationId: 'notifyGetRepoList',
  summary: 'What the caller is told of in a repository, newest first',
} satisfies Endpoint

export const notifyReadRepoList = {
  ...ofRepository,
  ...mark,
  operationId: 'notifyReadRepoList',
  summary: 'Mark notifications of a repository as read, unread or pinned',
} satisfies Endpoint
