import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

const Names = Type.Array(Type.String())

const GitignoreBody = Type.Object(
  { name: Type.String(), source: Type.String() },
  { title: 'GitignoreTemplateInfo' },
)

const entry = { key: Type.String(), name: Type.String(), url: Type.String() }

const LicenseEntryBody = Type.Object(entry, { title: 'LicensesTemplateListEntry' })

const LicenseBody = Type.Object(
  {
    ...entry,
    implementation: Type.String({ description: 'How the license is applied.' }),
    body: Type.String(),
  },
  { title: 'LicenseTemplateInfo' },
)

const LabelTemplateBody = Type.Object(
  {
    name: Type.String(),
    exclusive: Type.Boolean(),
    color: Type.String({ description: 'Six hexadecimal digits.' }),
    description: Type.String(),
  },
  { title: 'LabelTemplate' },
)

const open = { scope: [], access: 'anyone', publicOnly: 'public' } as const

export const listGitignoresTemplates = {
  ...open,
  operationId: 'listGitignoresTemplates',
  summary: 'The names of gitignore templates',
  answers: { 200: Names },
} satisfies Endpoint

export const getGitignoreTemplateInfo = {
  ...open,
  operationId: 'getGitignoreTemplateInfo',
  summary: 'A gitignore template',
  answers: { 200: GitignoreBody },
} satisfies Endpoint

export const listLicenseTemplates = {
  ...open,
  operationId: 'listLicenseTemplates',
  summary: 'The licenses for new repositories',
  answers: { 200: Type.Array(LicenseEntryBody) },
} satisfies Endpoint

export const getLicenseTemplateInfo = {
  ...open,
  operationId: 'getLicenseTemplateInfo',
  summary: 'The text of a license',
  answers: { 200: LicenseBody },
} satisfies Endpoint

export const listLabelTemplates = {
  ...open,
  operationId: 'listLabelTemplates',
  summary: 'The names of label sets',
  answers: { 200: Names },
} satisfies Endpoint

export const getLabelTemplateInfo = {
  ...open,
  operationId: 'getLabelTemplateInfo',
  summary: 'The labels of a set',
  answers: { 200: Type.Array(LabelTemplateBody) },
} satisfies Endpoint
