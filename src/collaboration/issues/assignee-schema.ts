import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { IssueBody } from './schema.ts'

export const IssueAssigneesOption = Type.Partial(
  Type.Object({ assignees: Type.Array(Type.String(), { description: 'names' }) }),
  { title: 'IssueAssigneesOption' },
)

const issues = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const

export const issueAddAssignees = {
  ...issues,
  operationId: 'issueAddAssignees',
  summary: 'Assign people to an issue, beside those who are',
  body: IssueAssigneesOption,
  answers: { 201: IssueBody },
} satisfies Endpoint

export const issueRemoveAssignees = {
  ...issues,
  operationId: 'issueRemoveAssignees',
  summary: 'Take people from those who are assigned to an issue',
  body: IssueAssigneesOption,
  answers: { 200: IssueBody },
} satisfies Endpoint

export const issueCheckAssignee = {
  ...issues,
  operationId: 'issueCheckAssignee',
  summary: 'Whether somebody can be assigned to an issue',
  answers: { 204: 'can be' },
} satisfies Endpoint

export const repoCheckAssignee = {
  operationId: 'repoCheckAssignee',
  summary: 'Whether somebody can be assigned to issues',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 204: 'can be' },
} satisfies Endpoint
