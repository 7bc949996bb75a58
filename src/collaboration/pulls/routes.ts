import type { FastifyInstance } from 'fastify'
import { asPage } from '../../repositories/repository/as-page.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { created, ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { pinnedIn } from '../issues/pins.ts'
import type { Issue } from '../issues/issue.ts'
import { issuesById } from '../issues/load.ts'
import { textAnswer } from '../../code/commits/routes.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { pullText } from './content.ts'
import { createPull } from './create.ts'
import { editPull } from './edit.ts'
import { listPulls } from './list.ts'
import { assertReadsPulls, loadCheckedPull, loadPull } from './load.ts'
import { presentPull } from './present.ts'
import type { Pull } from './pull.ts'
import { findPullMergedBy, findPullOfPair } from './queries.ts'
import { readNewPull, readPullEdit } from './read.ts'
import {
  CreatePullRequestOption,
  EditPullRequestOption,
  repoCreatePullRequest,
  repoEditPullRequest,
  repoGetCommitPullRequest,
  repoGetPullRequest,
  repoGetPullRequestByBaseHead,
  repoListPinnedPullRequests,
  repoListPullRequests,
  type PullRequestBody,
} from './schema.ts'
import { loadHeadRepository, splitHead } from './sides.ts'
import { viewPull, viewPulls } from './view.ts'

export function pullListRoutes(api: Api, ctx: Context): void {
  const pulls = '/repos/:owner/:repo/pulls'

  api.get(pulls, repoListPullRequests, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const found = await listPulls(ctx, view, call.query, call.page)
    return call.listOf(found, await presentAll(ctx, call, found.items))
  })

  api.get(`${pulls}/pinned`, repoListPinnedPullRequests, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    return ok(await presentAll(ctx, call, await pinnedIn(ctx, view, { isPull: true })))
  })
}

export function pullRoutes(api: Api, ctx: Context): void {
  const pulls = '/repos/:owner/:repo/pulls'

  api.post(pulls, repoCreatePullRequest, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    const wanted = readNewPull(await call.body(CreatePullRequestOption))
    return created(await presentNow(ctx, call, await createPull(ctx, caller, view, wanted)))
  })

  api.get(`${pulls}/:index`, repoGetPullRequest, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const [, number = '', form] = /^(.*?)(?:\.(diff|patch))?$/.exec(call.param('index')) ?? []
    const index = /^\d{1,15}$/.test(number) ? Number(number) : 0
    const { issue, pull } = await loadCheckedPull(ctx, view, index)
    if (form === undefined) return ok(await presentNow(ctx, call, issue))
    return answerText(ctx, call, view, pull, form)
  })

  api.patch(`${pulls}/:index`, repoEditPullRequest, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    const edit = readPullEdit(await call.body(EditPullRequestOption))
    const found = await loadPull(ctx, view, call.id('index'))
    const issue = await editPull(ctx, caller, view, found, edit)
    await loadCheckedPull(ctx, view, issue.number)
    return created(await presentNow(ctx, call, issue))
  })

  api.get(`${pulls}/:base/*head`, repoGetPullRequestByBaseHead, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const { place, branch } = splitHead(call.rest)
    const headRepository = await loadHeadRepository(ctx, call.caller, view, place)
    const found = await findPullOfPair(ctx.db, {
      repositoryId: view.repo.id,
      baseBranch: call.param('base'),
      headRepositoryId: headRepository.id,
      headBranch: branch,
    })
    return ok(await presentFound(ctx, call, view, found))
  })

  api.get('/repos/:owner/:repo/commits/:sha/pull', repoGetCommitPullRequest, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const found = await findPullMergedBy(ctx.db, view.repo.id, call.param('sha'))
    return ok(await presentFound(ctx, call, view, found))
  })
}

async function presentFound(
  ctx: Context,
  call: Call,
  view: RepositoryView,
  found: Pull | undefined,
): Promise<PullRequestBody> {
  const issue = found && (await issuesById(ctx.db, [found.issueId])).get(found.issueId)
  if (!issue) throw notFound()
  await loadCheckedPull(ctx, view, issue.number)
  return presentNow(ctx, call, issue)
}

/** What a pull request changes, at the addresses that its record hands out. */
export function pullPages(server: FastifyInstance, ctx: Context): void {
  for (const form of ['diff', 'patch']) {
    const answer = async (call: Call) => {
      const view = await loadPullsOfPath(ctx, call)
      const { pull } = await loadCheckedPull(ctx, view, call.id('index'))
      return answerText(ctx, call, view, pull, form)
    }
    const path = `/:owner/:repo/pulls/:index(^\\d+).${form}`
    server.get(path, asPage(ctx, repoGetPullRequest, answer))
  }
}

function answerText(
  ctx: Context,
  call: Call,
  { repo }: RepositoryView,
  pull: Pull,
  form: string,
): Promise<Answer> {
  const binary = call.query.boolean('binary')
  return textAnswer(call, repo, pullText(ctx, repo, pull, { form, binary }))
}

/** For every route below the pull requests of a repository. */
export async function loadPullsOfPath(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  assertReadsPulls(view)
  return view
}

async function presentAll(
  ctx: Context,
  { caller }: Call,
  issues: readonly Issue[],
): Promise<PullRequestBody[]> {
  const views = await viewPulls(ctx, caller, issues)
  return views.map((view) => presentPull(ctx.config, caller, view))
}

async function presentNow(ctx: Context, { caller }: Call, { id }: Issue): Promise<PullRequestBody> {
  const issue = (await issuesById(ctx.db, [id])).get(id)
  if (!issue) throw notFound()
  return presentPull(ctx.config, caller, await viewPull(ctx, caller, issue))
}
