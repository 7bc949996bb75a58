import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

const time = Type.String({ format: 'date-time' })

export type MilestoneBody = Static<typeof MilestoneBody>
export const MilestoneBody = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    state: Type.String({ description: 'open or closed' }),
    open_issues: Type.Integer(),
    closed_issues: Type.Integer(),
    created_at: time,
    updated_at: time,
    closed_at: Type.Union([time, Type.Null()]),
    due_on: Type.Union([time, Type.Null()]),
  },
  { title: 'Milestone' },
)

const fields = {
  title: Type.String(),
  description: Type.String(),
  due_on: Type.String({ format: 'date-time', field: 'Deadline' }),
  state: Type.String({ description: 'open or closed' }),
}

export const CreateMilestoneOption = Type.Partial(Type.Object(fields), {
  title: 'CreateMilestoneOption',
})

export const EditMilestoneOption = Type.Partial(
  Type.Object({
    ...fields,
    due_on: Type.String({
      format: 'date-time',
      field: 'Deadline',
      description: 'The whole of this day; none when left out.',
    }),
  }),
  { title: 'EditMilestoneOption' },
)

const milestones = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const

export const issueGetMilestonesList = {
  ...milestones,
  operationId: 'issueGetMilestonesList',
  summary: 'The milestones of a repository, by due date',
  query: { state: 'open unless closed or all', name: 'a part of the title, in any letter case' },
  paged: true,
  answers: { 200: Type.Array(MilestoneBody) },
} satisfies Endpoint

export const issueCreateMilestone = {
  ...milestones,
  operationId: 'issueCreateMilestone',
  summary: 'Make a milestone',
  body: CreateMilestoneOption,
  idempotent: true,
  answers: { 201: MilestoneBody },
} satisfies Endpoint

export const issueGetMilestone = {
  ...milestones,
  operationId: 'issueGetMilestone',
  summary: 'A milestone by its id or title',
  answers: { 200: MilestoneBody },
} satisfies Endpoint

export const issueEditMilestone = {
  ...milestones,
  operationId: 'issueEditMilestone',
  summary: 'Change a milestone',
  body: EditMilestoneOption,
  answers: { 200: MilestoneBody },
} satisfies Endpoint

export const issueDeleteMilestone = {
  ...milestones,
  operationId: 'issueDeleteMilestone',
  summary: 'Delete a milestone; its issues stay',
  answers: { 204: 'deleted' },
} satisfies Endpoint
