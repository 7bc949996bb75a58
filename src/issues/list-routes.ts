import type { Context } from '../context.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import type { IssueCondition } from './conditions.ts'
import { conditionsIn, listMatching } from './list.ts'
import { presentIssue } from './present.ts'
import { loadTracker } from './routes.ts'
import { issueListIssues, issueSearchIssues } from './schema.ts'
import { conditionsEverywhere } from './search.ts'

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
  const found = await listMatching(ctx, conditions, call.page, call.caller)
  const shown = { showDigest: call.query.boolean('digest') }
  return call.list(found, (view) => presentIssue(ctx.config, call.caller, view, shown))
}
