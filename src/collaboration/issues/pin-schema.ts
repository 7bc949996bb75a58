import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { IssueBody } from './schema.ts'

const issues = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const

export const repoListPinnedIssues = {
  ...issues,
  operationId: 'repoListPinnedIssues',
  summary: 'The pinned issues of a repository, in their order',
  answers: { 200: Type.Array(IssueBody) },
} satisfies Endpoint

export const repoNewPinAllowed = {
  operationId: 'repoNewPinAllowed',
  summary: 'Whether another issue or pull request can be pinned',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: {
    200: Type.Object(
      { issues: Type.Boolean(), pull_requests: Type.Boolean() },
      { title: 'NewIssuePinsAllowed' },
    ),
  },
} satisfies Endpoint

export const pinIssueEndpoint = {
  ...issues,
  operationId: 'pinIssue',
  summary: 'Pin an issue behind those that are pinned',
  answers: { 204: 'pinned' },
} satisfies Endpoint

export const unpinIssueEndpoint = {
  ...issues,
  operationId: 'unpinIssue',
  summary: 'Unpin an issue',
  answers: { 204: 'not pinned' },
} satisfies Endpoint

export const moveIssuePin = {
  ...issues,
  operationId: 'moveIssuePin',
  summary: 'Move a pinned issue to another place',
  answers: { 204: 'moved' },
} satisfies Endpoint
