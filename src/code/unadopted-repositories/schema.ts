import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

const administration = { scope: ['admin'], access: 'site-admin', publicOnly: 'public' } as const

export const adminUnadoptedList = {
  ...administration,
  operationId: 'adminUnadoptedList',
  summary: 'Repositories of other servers that wait to be adopted, by name',
  query: { pattern: 'which of them: a glob for the owner, or one for each of `owner/name`' },
  paged: true,
  answers: { 200: Type.Array(Type.String()) },
} satisfies Endpoint

export const adminAdoptRepository = {
  ...administration,
  operationId: 'adminAdoptRepository',
  summary: 'Make a private repository of one that waits',
  answers: { 204: 'adopted' },
} satisfies Endpoint

export const adminDeleteUnadoptedRepository = {
  ...administration,
  operationId: 'adminDeleteUnadoptedRepository',
  summary: 'Delete one that waits',
  answers: { 204: 'deleted' },
} satisfies Endpoint
