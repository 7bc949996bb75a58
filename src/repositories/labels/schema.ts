import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

export const LabelBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    exclusive: Type.Boolean(),
    is_archived: Type.Boolean(),
    color: Type.String({ description: 'Six hexadecimal digits in lower case.' }),
    description: Type.String(),
    url: Type.String(),
  },
  { title: 'Label' },
)

/** The contract has no limit: this is what its own column holds. */
const MAX_NAME = 255

export const CreateLabelOption = Type.Object(
  {
    name: Type.String({ notEmpty: true, maxLength: MAX_NAME }),
    exclusive: Type.Optional(Type.Boolean()),
    color: Type.String({ notEmpty: true }),
    description: Type.Optional(Type.String()),
    is_archived: Type.Optional(Type.Boolean()),
  },
  { title: 'CreateLabelOption' },
)

export const EditLabelOption = Type.Partial(
  Type.Object({
    name: Type.String({ maxLength: MAX_NAME }),
    exclusive: Type.Boolean(),
    color: Type.String(),
    description: Type.String(),
    is_archived: Type.Boolean({ description: 'False when left out.' }),
  }),
  { title: 'EditLabelOption' },
)

const ofRepository = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const
const ofOrganization = { scope: ['organization'], access: 'visible', publicOnly: 'public' } as const
const one = { answers: { 200: LabelBody } } as const
const list = {
  paged: true,
  query: { sort: 'mostissues, leastissues or reversealphabetically; by name unless given' },
  answers: { 200: Type.Array(LabelBody) },
} as const

export const issueListLabels = {
  ...ofRepository,
  ...list,
  operationId: 'issueListLabels',
  summary: 'The labels of a repository',
} satisfies Endpoint

export const issueCreateLabel = {
  ...ofRepository,
  operationId: 'issueCreateLabel',
  summary: 'Make a label',
  body: CreateLabelOption,
  idempotent: true,
  answers: { 201: LabelBody },
} satisfies Endpoint

export const issueGetLabel = {
  ...ofRepository,
  ...one,
  operationId: 'issueGetLabel',
  summary: 'A label by its id or name',
} satisfies Endpoint

export const issueEditLabel = {
  ...ofRepository,
  ...one,
  operationId: 'issueEditLabel',
  summary: 'Change a label',
  body: EditLabelOption,
} satisfies Endpoint

export const issueDeleteLabel = {
  ...ofRepository,
  operationId: 'issueDeleteLabel',
  summary: 'Delete a label',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const orgListLabels = {
  ...ofOrganization,
  ...list,
  operationId: 'orgListLabels',
  summary: 'The labels of an organization',
} satisfies Endpoint

export const orgCreateLabel = {
  ...ofOrganization,
  operationId: 'orgCreateLabel',
  summary: 'Make a label for all repositories of an organization',
  body: CreateLabelOption,
  idempotent: true,
  answers: { 201: LabelBody },
} satisfies Endpoint

export const orgGetLabel = {
  ...ofOrganization,
  ...one,
  operationId: 'orgGetLabel',
  summary: 'A label of an organization',
} satisfies Endpoint

export const orgEditLabel = {
  ...ofOrganization,
  ...one,
  operationId: 'orgEditLabel',
  summary: 'Change a label of an organization',
  body: EditLabelOption,
} satisfies Endpoint

export const orgDeleteLabel = {
  ...ofOrganization,
  operationId: 'orgDeleteLabel',
  summary: 'Delete a label of an organization',
  answers: { 204: 'deleted' },
} satisfies Endpoint
