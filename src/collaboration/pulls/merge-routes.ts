import type { Static } from 'typebox'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { noContent, ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Query } from '../../platform/http/query.ts'
import {
  assertEditable,
  assertNotArchived,
  assertWrites,
} from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import { unschedule } from './auto-merge.ts'
import { loadPull } from './load.ts'
import {
  MergePullRequestOption,
  MergeUpstreamRequest,
  repoCancelScheduledAutoMerge,
  repoMergePullRequest,
  repoMergeUpstream,
  repoPullRequestIsMerged,
  repoUpdatePullRequest,
} from './merge-schema.ts'
import type { MergeStyle } from './merge-style.ts'
import { mergeUpstream } from './merge-upstream.ts'
import { mergePull, type WantedMerge } from './merge.ts'
import { loadPullsOfPath } from './routes.ts'
import { updatePullBranch, type UpdateStyle } from './update.ts'

export function mergeRoutes(api: Api, ctx: Context): void {
  const pull = '/repos/:owner/:repo/pulls/:index'

  api.get(`${pull}/merge`, repoPullRequestIsMerged, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const found = await loadPull(ctx, view, call.id('index'))
    if (!found.pull.isMerged) throw notFound()
    return noContent()
  })

  api.post(`${pull}/merge`, repoMergePullRequest, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    const wanted = readMerge(await call.body(MergePullRequestOption))
    const outcome = await mergePull(ctx, caller, view, call.id('index'), wanted)
    return empty(outcome === 'scheduled' ? 201 : 200)
  })

  api.delete(`${pull}/merge`, repoCancelScheduledAutoMerge, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    const found = await loadPull(ctx, view, call.id('index'))
    await unschedule(ctx, caller, view, found)
    return noContent()
  })

  api.post(`${pull}/update`, repoUpdatePullRequest, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    await updatePullBranch(ctx, caller, view, call.id('index'), readStyle(call.query))
    return empty(200)
  })

  api.post('/repos/:owner/:repo/merge-upstream', repoMergeUpstream, async (call) => {
    const view = await loadOfPath(ctx, call)
    const caller = call.signedIn()
    assertWrites(view, 'repo.code')
    assertEditable(view)
    const { branch = '', ff_only: onlyForward = false } = await call.body(MergeUpstreamRequest)
    return ok({ merge_type: await mergeUpstream(ctx, caller, view, { branch, onlyForward }) })
  })
}

function empty(status: number): Answer<never> {
  return { status }
}

function readStyle(query: Query): UpdateStyle | undefined {
  const style = query.text('style')
  return style === 'merge' || style === 'rebase' ? style : undefined
}

function readMerge(body: Static<typeof MergePullRequestOption>): WantedMerge {
  return {
    style: body.do as MergeStyle,
    title: body.merge_title_field ?? '',
    message: body.merge_message_field ?? '',
    mergeCommitId: body.merge_commit_id ?? '',
    headCommitId: body.head_commit_id ?? '',
    force: body.force_merge ?? false,
    whenChecksSucceed: body.merge_when_checks_succeed ?? false,
    deleteBranch: body.delete_branch_after_merge,
  }
}
