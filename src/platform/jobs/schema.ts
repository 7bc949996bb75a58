import { Type } from 'typebox'
import type { Endpoint } from '../http/api.ts'

export const CronBody = Type.Object(
  {
    name: Type.String(),
    schedule: Type.String(),
    next: Type.String({ format: 'date-time' }),
    prev: Type.String({ format: 'date-time' }),
    exec_times: Type.Integer(),
  },
  { title: 'Cron' },
)

const administration = { scope: ['admin'], access: 'site-admin', publicOnly: 'public' } as const

export const adminCronList = {
  ...administration,
  operationId: 'adminCronList',
  summary: 'The scheduled tasks',
  paged: true,
  answers: { 200: Type.Array(CronBody) },
} satisfies Endpoint

export const adminCronRun = {
  ...administration,
  operationId: 'adminCronRun',
  summary: 'Start a scheduled task now',
  answers: { 204: 'started' },
} satisfies Endpoint
