import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { noContent } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import { presentTask } from './present.ts'
import { adminCronList, adminCronRun } from './schema.ts'

export function cronRoutes(api: Api, ctx: Context): void {
  api.get('/admin/cron', adminCronList, async (call) => {
    const tasks = await ctx.schedule.list()
    const { offset, limit } = call.page
    const found = { items: tasks.slice(offset, offset + limit), total: tasks.length }
    return call.list(found, presentTask, { links: false })
  })

  api.post('/admin/cron/:task', adminCronRun, async (call) => {
    if (!(await ctx.schedule.runNow(call.param('task')))) throw notFound()
    return noContent()
  })
}
