import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { IssueBody } from '../issues/schema.ts'

export type TrackedTimeBody = Static<typeof TrackedTimeBody>
export const TrackedTimeBody = Type.Object(
  {
    id: Type.Integer(),
    created: Type.String({ format: 'date-time' }),
    time: Type.Integer({ description: 'seconds' }),
    user_id: Type.Integer(),
    user_name: Type.String(),
    issue_id: Type.Integer(),
    issue: Type.Union([IssueBody, Type.Null()]),
  },
  { title: 'TrackedTime' },
)

const StopWatchBody = Type.Object(
  {
    created: Type.String({ format: 'date-time' }),
    seconds: Type.Integer(),
    duration: Type.String(),
    issue_index: Type.Integer(),
    issue_title: Type.String(),
    repo_owner_name: Type.String(),
    repo_name: Type.String(),
  },
  { title: 'StopWatch' },
)

export const AddTimeOption = Type.Object(
  {
    time: Type.Integer({ notEmpty: true, description: 'seconds' }),
    created: Type.Optional(Type.String({ format: 'date-time' })),
    user_name: Type.Optional(Type.String({ field: 'User' })),
  },
  { title: 'AddTimeOption' },
)

const issues = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const
const own = { scope: ['user'], access: 'signed-in', publicOnly: 'refused' } as const
const span = { since: 'at this time or later', before: 'at this time or earlier' } as const
const list = { paged: true, answers: { 200: Type.Array(TrackedTimeBody) } } as const

export const repoTrackedTimes = {
  ...list,
  operationId: 'repoTrackedTimes',
  summary: 'The time spent in a repository',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  query: { ...span, user: 'by this person' },
} satisfies Endpoint

export const userTrackedTimes = {
  ...list,
  operationId: 'userTrackedTimes',
  summary: 'The time that somebody spent in a repository',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint

export const issueTrackedTimes = {
  ...issues,
  ...list,
  operationId: 'issueTrackedTimes',
  summary: 'The time spent on an issue',
  query: { ...span, user: 'by this person' },
} satisfies Endpoint

export const issueAddTime = {
  ...issues,
  operationId: 'issueAddTime',
  summary: 'Add time that was spent on an issue',
  body: AddTimeOption,
  idempotent: true,
  answers: { 200: TrackedTimeBody },
} satisfies Endpoint

export const issueResetTime = {
  ...issues,
  operationId: 'issueResetTime',
  summary: 'Delete the time that the caller spent on an issue',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const issueDeleteTime = {
  ...issues,
  operationId: 'issueDeleteTime',
  summary: 'Delete one entry of the time spent on an issue',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const userCurrentTrackedTimes = {
  ...own,
  ...list,
  operationId: 'userCurrentTrackedTimes',
  summary: 'The time that the caller spent',
  query: span,
} satisfies Endpoint

export const issueStartStopWatch = {
  ...issues,
  operationId: 'issueStartStopWatch',
  summary: 'Start a stopwatch on an issue',
  answers: { 201: 'started' },
} satisfies Endpoint

export const issueStopStopWatch = {
  ...issues,
  operationId: 'issueStopStopWatch',
  summary: 'Stop it, and add what it shows to the time spent',
  answers: { 201: 'stopped' },
} satisfies Endpoint

export const issueDeleteStopWatch = {
  ...issues,
  operationId: 'issueDeleteStopWatch',
  summary: 'Stop it, and forget what it shows',
  answers: { 204: 'forgotten' },
} satisfies Endpoint

export const userGetStopWatches = {
  ...own,
  operationId: 'userGetStopWatches',
  summary: 'The stopwatches of the caller that run',
  paged: true,
  answers: { 200: Type.Array(StopWatchBody) },
} satisfies Endpoint
