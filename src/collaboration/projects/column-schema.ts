import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { IssueBody } from '../issues/schema.ts'
import {
  CreateProjectColumnOption,
  EditProjectColumnOption,
  MoveProjectColumnsOption,
  MoveProjectIssueOption,
  ProjectColumnBody,
  type Whose,
} from './schema.ts'

/** The addresses of columns, which are the same whosever the board is. */
export function columnEndpoints({ prefix, owner, scope, access, publicOnly }: Whose) {
  const common = { scope, access, publicOnly }
  const project = `a project of ${owner}`
  return {
    list: {
      ...common,
      operationId: `${prefix}ListProjectColumns`,
      summary: `The columns of ${project}, from left to right`,
      paged: true,
      answers: { 200: Type.Array(ProjectColumnBody) },
    },
    create: {
      ...common,
      operationId: `${prefix}CreateProjectColumn`,
      summary: `Add a column to ${project}`,
      body: CreateProjectColumnOption,
      idempotent: true,
      answers: { 201: ProjectColumnBody },
    },
    order: {
      ...common,
      operationId: `${prefix}MoveProjectColumns`,
      summary: `Give the columns of ${project} another order`,
      body: MoveProjectColumnsOption,
      answers: { 204: 'ordered' },
    },
    get: {
      ...common,
      operationId: `${prefix}GetProjectColumn`,
      summary: `A column of ${project}`,
      answers: { 200: ProjectColumnBody },
    },
    edit: {
      ...common,
      operationId: `${prefix}EditProjectColumn`,
      summary: `Change a column of ${project}`,
      body: EditProjectColumnOption,
      answers: { 200: ProjectColumnBody },
    },
    remove: {
      ...common,
      operationId: `${prefix}DeleteProjectColumn`,
      summary: 'Delete a column; its issues go to the default one',
      answers: { 204: 'deleted' },
    },
    makeDefault: {
      ...common,
      operationId: `${prefix}SetDefaultProjectColumn`,
      summary: 'Let what is put on the board begin in this column',
      answers: { 204: 'set' },
    },
  } satisfies Record<string, Endpoint>
}

/** The addresses of what is in the columns, which are the same whosever the board is. */
export function cardEndpoints({ prefix, scope, access, publicOnly }: Whose) {
  const common = { scope, access, publicOnly }
  return {
    list: {
      ...common,
      operationId: `${prefix}ListProjectColumnIssues`,
      summary: 'The issues and pull requests in a column, from top to bottom',
      paged: true,
      answers: { 200: Type.Array(IssueBody) },
    },
    put: {
      ...common,
      operationId: `${prefix}AddIssueToProjectColumn`,
      summary: 'Put an issue, by its id, into a column',
      answers: { 201: 'put there' },
    },
    takeOff: {
      ...common,
      operationId: `${prefix}RemoveIssueFromProjectColumn`,
      summary: 'Take an issue off the board',
      answers: { 204: 'taken off' },
    },
    move: {
      ...common,
      operationId: `${prefix}MoveProjectIssue`,
      summary: 'Move an issue within a column or to another one',
      body: MoveProjectIssueOption,
      answers: { 204: 'moved' },
    },
  } satisfies Record<string, Endpoint>
}
