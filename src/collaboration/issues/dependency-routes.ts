import type { Context, SignedInCaller } from '../../platform/context.ts'
import { created, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import {
  addDependency,
  assertDependencies,
  dependenciesSeenBy,
  endDependency,
  loadOther,
  type Found,
} from './dependencies.ts'
import {
  issueCreateIssueBlocking,
  issueCreateIssueDependencies,
  issueListBlocks,
  issueListIssueDependencies,
  IssueMeta,
  issueRemoveIssueBlocking,
  issueRemoveIssueDependencies,
} from './dependency-schema.ts'
import { loadIssue } from './load.ts'
import { presentIssue } from './present.ts'
import { loadIssueOfPath, loadTracker } from './routes.ts'
import type { IssueBody } from './schema.ts'
import { viewIssue, viewIssues } from './view.ts'

type Change = (caller: SignedInCaller, own: Found, other: Found) => Promise<void>

export function dependencyRoutes(api: Api, ctx: Context): void {
  const { config } = ctx
  const dependencies = '/repos/:owner/:repo/issues/:index/dependencies'
  const blocks = '/repos/:owner/:repo/issues/:index/blocks'

  const answerList = async (call: Call, direction: 'awaited' | 'waiting') => {
    const { view, issue } = await loadIssueOfPath(ctx, call)
    assertDependencies(view)
    const found = await dependenciesSeenBy(ctx, call.caller, issue, direction, call.page)
    const views = await viewIssues(ctx.db, found.items, { config, caller: call.caller })
    const body = views.map((other) => presentIssue(config, call.caller, other))
    return call.listOf(found, body, { links: false })
  }

  const answerChange = async (call: Call, change: Change): Promise<Answer<IssueBody>> => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    const body = await call.body(IssueMeta)
    const own = { view, issue: await loadIssue(ctx, view, call.id('index')) }
    const path = { owner: body.owner ?? '', repo: body.repo ?? '', number: body.index ?? 0 }
    const other = await loadOther(ctx, caller, view, path)
    await change(caller, own, other)
    return created(
      presentIssue(config, caller, await viewIssue(ctx.db, own.issue, { config, caller })),
    )
  }

  api.get(dependencies, issueListIssueDependencies, (call) => answerList(call, 'awaited'))
  api.get(blocks, issueListBlocks, (call) => answerList(call, 'waiting'))

  api.post(dependencies, issueCreateIssueDependencies, (call) =>
    answerChange(call, (caller, own, other) => addDependency(ctx, caller, own, other)),
  )
  api.delete(dependencies, issueRemoveIssueDependencies, (call) =>
    answerChange(call, (caller, own, other) => endDependency(ctx, caller, own, other)),
  )
  api.post(blocks, issueCreateIssueBlocking, (call) =>
    answerChange(call, (caller, own, other) => addDependency(ctx, caller, other, own)),
  )
  api.delete(blocks, issueRemoveIssueBlocking, (call) =>
    answerChange(call, (caller, own, other) => endDependency(ctx, caller, other, own)),
  )
}
