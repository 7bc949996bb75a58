import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { LabelBody } from '../../repositories/labels/schema.ts'

export const IssueLabelsOption = Type.Object(
  {
    labels: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'ids, or names; not some of each' }),
    ),
  },
  { title: 'IssueLabelsOption' },
)

const labels = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const
const all = { answers: { 200: Type.Array(LabelBody) } } as const

export const issueGetLabels = {
  ...labels,
  ...all,
  operationId: 'issueGetLabels',
  summary: 'The labels of an issue, by name',
} satisfies Endpoint

export const issueAddLabel = {
  ...labels,
  ...all,
  operationId: 'issueAddLabel',
  summary: 'Add labels to an issue',
  body: IssueLabelsOption,
} satisfies Endpoint

export const issueReplaceLabels = {
  ...labels,
  ...all,
  operationId: 'issueReplaceLabels',
  summary: 'Give an issue these labels and no others',
  body: IssueLabelsOption,
} satisfies Endpoint

export const issueClearLabels = {
  ...labels,
  operationId: 'issueClearLabels',
  summary: 'Take all labels off an issue',
  answers: { 204: 'no labels' },
} satisfies Endpoint

export const issueRemoveLabel = {
  ...labels,
  operationId: 'issueRemoveLabel',
  summary: 'Take a label off an issue',
  answers: { 204: 'taken off' },
} satisfies Endpoint
