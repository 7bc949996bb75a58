import { Type } from 'typebox'
import type { Endpoint } from '../http/api.ts'
import { IssueBody } from '../issues/schema.ts'
import {
  CreateProjectColumnOption,
  EditProjectColumnOption,
  MoveProjectColumnsOption,
  MoveProjectIssueOption,
  ProjectColumnBody,
} from './schema.ts'

const columns = { scope: ['issue'], access: 'visible' } as const

export const repoListProjectColumns = {
  ...columns,
  operationId: 'repoListProjectColumns',
  summary: 'The columns of a project, from left to right',
  paged: true,
  answers: { 200: Type.Array(ProjectColumnBody) },
} satisfies Endpoint

export const repoCreateProjectColumn = {
  ...columns,
  operationId: 'repoCreateProjectColumn',
  summary: 'Add a column to a project',
  body: CreateProjectColumnOption,
  idempotent: true,
  answers: { 201: ProjectColumnBody },
} satisfies Endpoint

export const repoMoveProjectColumns = {
  ...columns,
  operationId: 'repoMoveProjectColumns',
  summary: 'Give the columns of a project another order',
  body: MoveProjectColumnsOption,
  answers: { 204: 'ordered' },
} satisfies Endpoint

export const repoGetProjectColumn = {
  ...columns,
  operationId: 'repoGetProjectColumn',
  summary: 'A column of a project',
  answers: { 200: ProjectColumnBody },
} satisfies Endpoint

export const repoEditProjectColumn = {
  ...columns,
  operationId: 'repoEditProjectColumn',
  summary: 'Change a column of a project',
  body: EditProjectColumnOption,
  answers: { 200: ProjectColumnBody },
} satisfies Endpoint

export const repoDeleteProjectColumn = {
  ...columns,
  operationId: 'repoDeleteProjectColumn',
  summary: 'Delete a column; its issues go to the default one',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const repoSetDefaultProjectColumn = {
  ...columns,
  operationId: 'repoSetDefaultProjectColumn',
  summary: 'Let what is put on the board begin in this column',
  answers: { 204: 'set' },
} satisfies Endpoint

export const repoListProjectColumnIssues = {
  ...columns,
  operationId: 'repoListProjectColumnIssues',
  summary: 'The issues and pull requests in a column, from top to bottom',
  paged: true,
  answers: { 200: Type.Array(IssueBody) },
} satisfies Endpoint

export const repoAddIssueToProjectColumn = {
  ...columns,
  operationId: 'repoAddIssueToProjectColumn',
  summary: 'Put an issue, by its id, into a column',
  answers: { 201: 'put there' },
} satisfies Endpoint

export const repoRemoveIssueFromProjectColumn = {
  ...columns,
  operationId: 'repoRemoveIssueFromProjectColumn',
  summary: 'Take an issue off the board',
  answers: { 204: 'taken off' },
} satisfies Endpoint

export const repoMoveProjectIssue = {
  ...columns,
  operationId: 'repoMoveProjectIssue',
  summary: 'Move an issue within a column or to another one',
  body: MoveProjectIssueOption,
  answers: { 204: 'moved' },
} satisfies Endpoint
