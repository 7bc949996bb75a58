import { Type } from 'typebox'
import { WatchInfoBody } from '../../repositories/stars-and-watches/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../../identity/users/schema.ts'

const issues = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const

export const issueSubscriptions = {
  ...issues,
  operationId: 'issueSubscriptions',
  summary: 'Who has subscribed to an issue',
  paged: true,
  answers: { 200: Type.Array(UserBody) },
} satisfies Endpoint

export const issueCheckSubscription = {
  ...issues,
  operationId: 'issueCheckSubscription',
  summary: 'Whether the caller hears of an issue',
  answers: { 200: WatchInfoBody },
} satisfies Endpoint

export const issueAddSubscription = {
  ...issues,
  operationId: 'issueAddSubscription',
  summary: 'Subscribe to an issue',
  answers: { 200: 'subscribed already', 201: 'subscribed' },
} satisfies Endpoint

export const issueDeleteSubscription = {
  ...issues,
  operationId: 'issueDeleteSubscription',
  summary: 'Subscribe to an issue no longer',
  answers: { 200: 'not subscribed already', 201: 'not subscribed' },
} satisfies Endpoint
