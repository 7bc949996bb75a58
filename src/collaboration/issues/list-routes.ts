import type { Context } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Wanted } from './conditions.ts'
import { wantedIn, listMatching } from './list.ts'
import { presentIssue } from './present.ts'
import { readQuestion, readWideQuestion } from './read-question.ts'
import { loadTracker } from './routes.ts'
import { issueListIssues, issueSearchIssues } from './schema.ts'
import { wantedEverywhere } from './search.ts'

export function issueListRoutes(api: Api, ctx: Context): void {
  api.get('/repos/issues/search', issueSearchIssues, async (call) =>
    answerList(ctx, call, await wantedEverywhere(ctx, call.caller, readWideQuestion(call.query))),
  )

  api.get('/repos/:owner/:repo/issues', issueListIssues, async (call) => {
    const view = await loadTracker(ctx, call)
    return answerList(ctx, call, await wantedIn(ctx, view, readQuestion(call.query)))
  })
}

async function answerList(ctx: Context, call: Call, wanted: Wanted) {
  const found = await listMatching(ctx, wanted, call.page, call.caller)
  const shown = { showDigest: call.query.boolean('digest') }
  return call.list(found, (view) => presentIssue(ctx.config, call.caller, view, shown))
}
