import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { IssueBody } from './schema.ts'

export const IssueMeta = Type.Partial(
  Type.Object({
    index: Type.Integer(),
    owner: Type.String(),
    repo: Type.String({ field: 'Name' }),
  }),
  { title: 'IssueMeta' },
)

const issues = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const
const list = { paged: true, answers: { 200: Type.Array(IssueBody) } } as const
const change = { body: IssueMeta, answers: { 201: IssueBody } } as const

export const issueListIssueDependencies = {
  ...issues,
  ...list,
  operationId: 'issueListIssueDependencies',
  summary: 'The issues that an issue waits for',
} satisfies Endpoint

export const issueCreateIssueDependencies = {
  ...issues,
  ...change,
  operationId: 'issueCreateIssueDependencies',
  summary: 'Let an issue wait for another',
} satisfies Endpoint

export const issueRemoveIssueDependencies = {
  ...issues,
  ...change,
  operationId: 'issueRemoveIssueDependencies',
  summary: 'Let an issue wait for another no longer',
} satisfies Endpoint

export const issueListBlocks = {
  ...issues,
  ...list,
  operationId: 'issueListBlocks',
  summary: 'The issues that wait for an issue',
} satisfies Endpoint

export const issueCreateIssueBlocking = {
  ...issues,
  ...change,
  operationId: 'issueCreateIssueBlocking',
  summary: 'Let another issue wait for an issue',
} satisfies Endpoint

export const issueRemoveIssueBlocking = {
  ...issues,
  ...change,
  operationId: 'issueRemoveIssueBlocking',
  summary: 'Let another issue wait for an issue no longer',
} satisfies Endpoint
