import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

const AnyMap = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])
const Names = Type.Union([Type.Array(Type.String()), Type.Null()])

export const IssueFormFieldBody = Type.Object(
  {
    type: Type.String({ description: 'markdown, textarea, input, dropdown or checkboxes.' }),
    id: Type.String(),
    attributes: AnyMap,
    validations: AnyMap,
    visible: Type.Optional(Type.Array(Type.String({ description: 'form or content.' }))),
  },
  { title: 'IssueFormField' },
)

export const IssueTemplateBody = Type.Object(
  {
    name: Type.String(),
    title: Type.String({ description: 'What the title of a new issue begins with.' }),
    about: Type.String(),
    labels: Names,
    assignees: Names,
    ref: Type.String(),
    content: Type.String({ description: 'Markdown; empty for a form.' }),
    body: Type.Union([Type.Array(IssueFormFieldBody), Type.Null()], {
      description: 'The fields of a form.',
    }),
    file_name: Type.String(),
  },
  { title: 'IssueTemplate' },
)

const IssueConfigBody = Type.Object(
  {
    blank_issues_enabled: Type.Boolean(),
    contact_links: Type.Array(
      Type.Object(
        { name: Type.String(), url: Type.String(), about: Type.String() },
        { title: 'IssueConfigContactLink' },
      ),
    ),
  },
  { title: 'IssueConfig' },
)

const IssueConfigValidationBody = Type.Object(
  { valid: Type.Boolean(), message: Type.String() },
  { title: 'IssueConfigValidation' },
)

const read = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoGetIssueTemplates = {
  ...read,
  operationId: 'repoGetIssueTemplates',
  summary: 'The issue templates of a repository',
  answers: { 200: Type.Array(IssueTemplateBody) },
} satisfies Endpoint

export const repoGetIssueConfig = {
  ...read,
  operationId: 'repoGetIssueConfig',
  summary: 'How a repository wants new issues to be made',
  answers: { 200: IssueConfigBody },
} satisfies Endpoint

export const repoValidateIssueConfig = {
  ...read,
  operationId: 'repoValidateIssueConfig',
  summary: 'Whether the issue configuration of a repository is valid',
  answers: { 200: IssueConfigValidationBody },
} satisfies Endpoint
