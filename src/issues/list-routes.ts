import type { Context } from '../context.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import type { IssueCondition } from './conditions.ts'
import { conditionsIn } from './list.ts'
import { presentIssue } from './present.ts'
import { listIssues } from './queries.ts'
import { loadTracker } from './routes.ts'
import { issueListIssues, issueSearchIssues } from './schema.ts'
import { conditionsEverywhere } from './search.ts'
import { viewIssues } from './view.ts'

export function issueListRoutes(api: Api, ctx: Context): void {
  api.get('/repos/issues/search', issueSearchIssues, async (call) =>
    answerList(ctx, call, await conditionsEverywhere(ctx, call.caller, call.query)),
  )

  api.get('/repos/:owner/:repo/issues', issueListIssues, async (call) => {
    const view = await loadTracker(ctx, call)
    return answerList(ctx, call, await conditionsIn(ctx, view, call.query))
  })
}

async function answerList(ctx: Context, call: Call, conditions: readonly IssueCondition[]) {
  const found = await listIssues(ctx.db, conditions, call.page)
  await ctx.downloadCounts.settle()
  const views = await viewIssues(ctx.db, found.items)
  const shown = { showDigest: call.query.boolean('digest') }
  const body = views.map((view) => presentIssue(ctx.config, call.caller, view, shown))
  return call.listOf(found, body)
}
