import type { Context } from '../../platform/context.ts'
import { created, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Query } from '../../platform/http/query.ts'
import { assertWrites } from '../../repositories/repository/load.ts'
import { loadCode } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { createStatus } from './create.ts'
import { loadCommitOfId, loadCommitOfRef } from './load.ts'
import { presentCombined, presentStatus, readNewStatus } from './present.ts'
import {
  findLastStates,
  listLastStatuses,
  listStatuses,
  type CommitKey,
  type StatusFilter,
} from './queries.ts'
import {
  CreateStatusOption,
  repoCreateStatus,
  repoGetCombinedStatusByRef,
  repoListStatuses,
  repoListStatusesByRef,
  type CommitStatusBody,
} from './schema.ts'

export function statusRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.post('/repos/:owner/:repo/statuses/:sha', repoCreateStatus, async (call) => {
    const view = await loadCode(ctx, call)
    call.signedIn()
    // Archived or not: what is said of a commit does not change what git holds.
    assertWrites(view, 'repo.code')
    const body = await call.body(CreateStatusOption)
    const commit = await loadCommitOfId(ctx, view.repo, call.param('sha'))
    const status = await createStatus(ctx, call.signedIn(), commit, readNewStatus(body))
    return created(presentStatus(config, view, status))
  })

  api.get('/repos/:owner/:repo/statuses/:sha', repoListStatuses, async (call) => {
    const view = await loadCode(ctx, call)
    const commit = await loadCommitOfId(ctx, view.repo, call.param('sha'))
    return answerStatuses(ctx, call, view, commit)
  })

  api.get('/repos/:owner/:repo/commits/:sha/statuses', repoListStatusesByRef, async (call) => {
    const view = await loadCode(ctx, call)
    const commit = await loadCommitOfRef(ctx, view.repo, call.param('sha'))
    return answerStatuses(ctx, call, view, commit)
  })

  api.get('/repos/:owner/:repo/commits/:sha/status', repoGetCombinedStatusByRef, async (call) => {
    const view = await loadCode(ctx, call)
    const commit = await loadCommitOfRef(ctx, view.repo, call.param('sha'))
    const statuses = await listLastStatuses(ctx.db, commit, call.page)
    const lastStates = await findLastStates(ctx.db, commit)
    const combined = { commitId: commit.commitId, lastStates, statuses }
    const body = presentCombined(config, view, combined)
    return call.listOf(statuses, body, { links: false })
  })
}

async function answerStatuses(
  ctx: Context,
  call: Call,
  view: RepositoryView,
  commit: CommitKey,
): Promise<Answer<CommitStatusBody[]>> {
  const found = await listStatuses(ctx.db, commit, readFilter(call.query), call.page)
  const present = (status: (typeof found.items)[number]) => presentStatus(ctx.config, view, status)
  return call.list(found, present)
}

const oldestFirst = ['oldest', 'leastupdate', 'leastindex']

/** Nothing is ever updated, so that every order is one of numbers. */
function readFilter(query: Query): StatusFilter {
  return {
    state: query.text('state') || undefined,
    order: oldestFirst.includes(query.text('sort') ?? '') ? 'asc' : 'desc',
  }
}
