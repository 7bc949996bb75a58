import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertReads } from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { presentRun, presentSchedule } from './present.ts'
import { findRun, listRuns, listSchedules, type RunFilter } from './queries.ts'
import { getActionRun, listActionRuns, listActionSchedules } from './schema.ts'

export function scheduleRoutes(api: Api, ctx: Context): void {
  const actions = '/repos/:owner/:repo/actions'

  api.get(`${actions}/schedules`, listActionSchedules, async (call) => {
    const { repo, units } = await loadActions(ctx, call)
    const mayRun = !repo.isArchived && units.has('repo.actions')
    const found = mayRun ? await listSchedules(ctx.db, repo.id, call.page) : { items: [], total: 0 }
    const schedules = found.items.map(presentSchedule)
    return call.listOf(found, { schedules, total_count: found.total })
  })

  api.get(`${actions}/runs`, listActionRuns, async (call) => {
    const view = await loadActions(ctx, call)
    const found = await listRuns(ctx.db, view.repo.id, readFilter(call), call.page)
    const workflow_runs = found.items.map((run) => presentRun(ctx.config, view, run))
    return call.listOf(found, { workflow_runs, total_count: found.total })
  })

  api.get(`${actions}/runs/:run`, getActionRun, async (call) => {
    const view = await loadActions(ctx, call)
    const run = await findRun(ctx.db, view.repo.id, call.id('run'))
    if (!run) throw notFound()
    return ok(presentRun(ctx.config, view, run))
  })
}

async function loadActions(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  assertReads(view, 'repo.actions')
  return view
}

function readFilter({ query }: Call): RunFilter {
  return {
    event: query.text('event') || undefined,
    branch: query.text('branch') || undefined,
    state: query.text('status') || undefined,
    commitId: query.text('head_sha') || undefined,
  }
}
