import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

const time = Type.String({ format: 'date-time' })

export type ScheduleBody = Static<typeof ScheduleBody>
export const ScheduleBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String({ description: 'the file of the workflow' }),
    cron: Type.String(),
    head_branch: Type.String(),
    head_sha: Type.String(),
    next_run_at: time,
    last_run_at: Type.Union([time, Type.Null()]),
    created_at: time,
  },
  { title: 'ActionSchedule' },
)

export type RunBody = Static<typeof RunBody>
export const RunBody = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    html_url: Type.String(),
    display_title: Type.String(),
    path: Type.String({ description: 'the file of the workflow and where it was read' }),
    event: Type.String(),
    run_attempt: Type.Integer(),
    run_number: Type.Integer(),
    head_sha: Type.String(),
    head_branch: Type.String(),
    status: Type.String(),
    conclusion: Type.Union([Type.String(), Type.Null()]),
    created_at: time,
    started_at: time,
    completed_at: time,
  },
  { title: 'ActionWorkflowRun' },
)

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const listActionSchedules = {
  ...repository,
  operationId: 'listActionSchedules',
  summary: 'When workflows of a repository run by themselves',
  paged: true,
  answers: {
    200: Type.Object(
      { schedules: Type.Array(ScheduleBody), total_count: Type.Integer() },
      { title: 'ActionSchedules' },
    ),
  },
} satisfies Endpoint

export const listActionRuns = {
  ...repository,
  operationId: 'getWorkflowRuns',
  summary: 'The runs of workflows, newest first',
  query: {
    event: 'only runs of this cause',
    branch: 'only runs on this branch',
    status: 'only runs in this state',
    head_sha: 'only runs of this commit',
  },
  paged: true,
  answers: {
    200: Type.Object(
      { workflow_runs: Type.Array(RunBody), total_count: Type.Integer() },
      { title: 'ActionWorkflowRunsResponse' },
    ),
  },
} satisfies Endpoint

export const getActionRun = {
  ...repository,
  operationId: 'GetWorkflowRun',
  summary: 'A run of a workflow',
  answers: { 200: RunBody },
} satisfies Endpoint
