import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../../identity/users/schema.ts'
import { cardTypes, templateNames } from './project.ts'

const time = Type.String({ format: 'date-time' })
const cardType = Type.String({
  enum: ['', ...cardTypes],
  description: 'text_only or images_and_text',
})
/** What the columns of the reference hold. */
const MAX_TITLE = 255

export type ProjectBody = Static<typeof ProjectBody>
export const ProjectBody = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    owner_id: Type.Integer({ description: '0: it belongs to a repository' }),
    repo_id: Type.Integer({ description: '0: it belongs to an account' }),
    creator_id: Type.Integer(),
    creator: UserBody,
    is_closed: Type.Boolean(),
    state: Type.String({ description: 'open or closed' }),
    template_type: Type.String({ description: 'none, basic_kanban or bug_triage' }),
    card_type: Type.String({ description: 'text_only or images_and_text' }),
    type: Type.String({ description: 'individual, repository or organization' }),
    html_url: Type.String(),
    num_open_issues: Type.Integer(),
    num_closed_issues: Type.Integer(),
    num_issues: Type.Integer(),
    created_at: time,
    updated_at: time,
    closed_at: Type.Union([time, Type.Null()]),
  },
  { title: 'Project' },
)

export type ProjectColumnBody = Static<typeof ProjectColumnBody>
export const ProjectColumnBody = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    default: Type.Boolean({ description: 'Where what is put on the board comes first.' }),
    sorting: Type.Integer(),
    color: Type.String({ description: 'As in #ff0000; empty for none.' }),
    project_id: Type.Integer(),
    creator: UserBody,
    created_at: time,
    updated_at: time,
  },
  { title: 'ProjectColumn' },
)

export const CreateProjectOption = Type.Object(
  {
    title: Type.String({ notEmpty: true, maxLength: MAX_TITLE }),
    description: Type.Optional(Type.String()),
    template_type: Type.Optional(
      Type.String({
        enum: ['', ...templateNames],
        description: 'The columns it begins with: none, basic_kanban or bug_triage.',
      }),
    ),
    card_type: Type.Optional(cardType),
  },
  { title: 'CreateProjectOption' },
)

export const EditProjectOption = Type.Partial(
  Type.Object({
    title: Type.String({ maxLength: MAX_TITLE, description: 'Ignored when empty.' }),
    description: Type.String(),
    card_type: cardType,
    state: Type.String({ enum: ['', 'open', 'closed'] }),
  }),
  { title: 'EditProjectOption' },
)

const color = Type.String({ description: 'Six hexadecimal digits after a #, or nothing.' })

export const CreateProjectColumnOption = Type.Object(
  {
    title: Type.String({ notEmpty: true, maxLength: MAX_TITLE }),
    color: Type.Optional(color),
  },
  { title: 'CreateProjectColumnOption' },
)

export const EditProjectColumnOption = Type.Partial(
  Type.Object({
    title: Type.String({ maxLength: MAX_TITLE, description: 'Ignored when empty.' }),
    color,
    sorting: Type.Integer({ description: 'From -128 to 127; the least is leftmost.' }),
  }),
  { title: 'EditProjectColumnOption' },
)

export const MoveProjectColumnsOption = Type.Object(
  {
    column_ids: Type.Array(Type.Integer(), {
      field: 'ColumnIDs',
      notEmpty: true,
      description: 'All columns of the project, from left to right.',
    }),
  },
  { title: 'MoveProjectColumnsOption' },
)

export const MoveProjectIssueOption = Type.Object(
  {
    column_id: Type.Integer({ field: 'ColumnID', notEmpty: true }),
    sorting: Type.Optional(
      Type.Integer({
        description:
          'The least is at the top, and of equals the newest; below all others when left out.',
      }),
    ),
  },
  { title: 'MoveProjectIssueOption' },
)

/** Whose boards an address is about. */
export interface Whose {
  /** What the names of its operations begin with. */
  readonly prefix: string
  readonly owner: string
  readonly scope: Endpoint['scope']
  readonly access: 'visible' | 'signed-in'
  readonly publicOnly: Endpoint['publicOnly']
}

export const ofRepository: Whose = {
  prefix: 'repo',
  owner: 'a repository',
  scope: ['issue'],
  access: 'visible',
  publicOnly: 'public',
}

export const ofOrganization: Whose = {
  prefix: 'org',
  owner: 'an organization',
  scope: ['organization'],
  access: 'visible',
  publicOnly: 'public',
}

export const ofCaller: Whose = {
  prefix: 'userCurrent',
  owner: 'the caller',
  scope: ['user'],
  access: 'signed-in',
  publicOnly: 'public account',
}

/** The addresses of boards, which are the same whosever they are. */
export function projectEndpoints({ prefix, owner, scope, access, publicOnly }: Whose) {
  const common = { scope, access, publicOnly }
  return {
    list: {
      ...common,
      operationId: `${prefix}ListProjects`,
      summary: `The projects of ${owner}, newest first`,
      ...listOfProjects,
    },
    create: {
      ...common,
      operationId: `${prefix}CreateProject`,
      summary: `Make a project of ${owner}, with the columns of a template`,
      body: CreateProjectOption,
      idempotent: true,
      answers: { 201: ProjectBody },
    },
    get: {
      ...common,
      operationId: `${prefix}GetProject`,
      summary: `A project of ${owner}`,
      answers: { 200: ProjectBody },
    },
    edit: {
      ...common,
      operationId: `${prefix}EditProject`,
      summary: `Change, close or reopen a project of ${owner}`,
      body: EditProjectOption,
      answers: { 200: ProjectBody },
    },
    remove: {
      ...common,
      operationId: `${prefix}DeleteProject`,
      summary: `Delete a project of ${owner}; its issues stay`,
      answers: { 204: 'deleted' },
    },
  } satisfies Record<string, Endpoint>
}

const listOfProjects = {
  query: { state: 'open unless closed or all' },
  paged: true,
  answers: { 200: Type.Array(ProjectBody) },
} as const

export const userListProjects = {
  scope: ['user'],
  access: 'visible',
  publicOnly: 'public',
  operationId: 'userListProjects',
  summary: 'The projects of a person or an organization, newest first',
  ...listOfProjects,
} satisfies Endpoint
