import type { FastifyInstance } from 'fastify'
import { folderOf } from '../../repositories/repository/folder.ts'
import { loadNote } from './notes.ts'
import { linksOf, presentCommit, roomOfEach, type CommitDetails } from './present.ts'
import { asPage } from '../../repositories/repository/as-page.ts'
import type { Context } from '../../platform/context.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { commitDiff, commitPatch } from '../../platform/git/diff.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { begunStreamOf } from '../../platform/git/stream.ts'
import { ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Query } from '../../platform/http/query.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { loadCode } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { parseTime } from '../../platform/time.ts'
import { findAuthorsFor } from './authors.ts'
import { comparedText, listComparedChanges, loadCompared } from './compare.ts'
import { changesOf, listCommits, loadCommit, type CommitFilter } from './list.ts'
import {
  repoCompareDiff,
  repoGetAllCommits,
  repoGetCommit,
  repoGetNote,
  repoGetSingleCommit,
  type CommitBody,
} from './schema.ts'
import { verifyCommits } from './verification.ts'

export function commitRoutes(api: Api, ctx: Context): void {
  api.get('/repos/:owner/:repo/commits', repoGetAllCommits, async (call) => {
    const view = await loadCode(ctx, call)
    const filter = readFilter(call.query)
    const found = await listCommits(ctx, view.repo, filter, call.page)
    const bodies = await presentCommits(ctx, call, view, found.items)
    const answer = call.listOf(found, bodies)
    return withPageHeaders(call, answer, found.total)
  })

  const answerCommit = async (call: Call) => {
    const view = await loadCode(ctx, call)
    const [, name = '', form] = /^(.*?)(?:\.(diff|patch))?$/.exec(call.param('sha')) ?? []
    const commit = await loadCommit(ctx, view.repo, name)
    if (form) return text(ctx, call, view, commit, form)
    const [body] = await presentCommits(ctx, call, view, [commit])
    return ok(body)
  }
  api.get('/repos/:owner/:repo/git/commits/:sha', repoGetSingleCommit, answerCommit)
  api.get('/repos/:owner/:repo/commits/:sha', repoGetCommit, answerCommit)

  api.get('/repos/:owner/:repo/git/notes/:sha', repoGetNote, async (call) => {
    const view = await loadCode(ctx, call)
    const { commit, message } = await loadNote(ctx, view.repo, call.param('sha'))
    const [body] = await presentCommits(ctx, call, view, [commit])
    if (!body) throw notFound()
    return ok({ message, commit: body })
  })

  api.get('/repos/:owner/:repo/compare/*basehead', repoCompareDiff, async (call) => {
    const view = await loadCode(ctx, call)
    const compared = await loadCompared(ctx, call.caller, view, call.rest)
    const form = call.query.text('output')
    if (form === 'diff' || form === 'patch') {
      return textAnswer(call, view.repo, await comparedText(ctx, view.repo, compared, form))
    }
    const { commits, total, changes } = await listComparedChanges(ctx, view.repo, compared)
    const details = { ...(await detailsOf(ctx, call, commits)), changes }
    const links = linksOf(ctx.config, view)
    return ok({
      total_commits: total,
      commits: commits.map((commit) => presentCommit(ctx.config, links, commit, details)),
    })
  })
}

/** What a commit changed as text, beside its page. */
export function commitPages(server: FastifyInstance, ctx: Context): void {
  for (const form of ['diff', 'patch']) {
    const answer = async (call: Call) => {
      const view = await loadCode(ctx, call)
      return text(ctx, call, view, await loadCommit(ctx, view.repo, call.param('sha')), form)
    }
    const path = `/:owner/:repo/commit/:sha(^[0-9a-f]+).${form}`
    server.get(path, asPage(ctx, repoGetSingleCommit, answer))
  }
}

/** What two refs differ in as text, for the page that compares them. */
export function comparedTextPage(ctx: Context, form: 'diff' | 'patch') {
  return asPage(ctx, repoCompareDiff, async (call) => {
    const view = await loadCode(ctx, call)
    const compared = await loadCompared(ctx, call.caller, view, call.rest)
    return textAnswer(call, view.repo, await comparedText(ctx, view.repo, compared, form))
  })
}

export async function presentCommits(
  ctx: Context,
  call: Call,
  view: RepositoryView,
  commits: readonly Commit[],
): Promise<CommitBody[]> {
  const details = await detailsOf(ctx, call, commits)
  const wanted = details.showFiles || details.showStats
  const changes = wanted ? await changesOf(ctx, view.repo, commits) : undefined
  return commits.map((commit) =>
    presentCommit(ctx.config, linksOf(ctx.config, view), commit, { ...details, changes }),
  )
}

async function detailsOf(
  ctx: Context,
  { query, caller }: Call,
  commits: readonly Commit[],
): Promise<CommitDetails> {
  const known = await findAuthorsFor(ctx, caller, commits)
  const wantsVerification = query.optionalBoolean('verification') ?? true
  return {
    authors: known.authors,
    room: roomOfEach(commits.length),
    showFiles: query.optionalBoolean('files') ?? true,
    showStats: query.optionalBoolean('stat') ?? true,
    verifications: wantsVerification ? await verifyCommits(ctx, commits, known) : undefined,
  }
}

function text(
  ctx: Context,
  call: Call,
  { repo }: RepositoryView,
  commit: Commit,
  form: string,
): Promise<Answer> {
  const print = form === 'diff' ? commitDiff : commitPatch
  return textAnswer(call, repo, print(ctx.git, folderOf(ctx, repo), commit))
}

export async function textAnswer(
  call: Call,
  repo: Repository,
  chunks: AsyncIterable<Buffer>,
): Promise<Answer> {
  await call.holdPlace(repo)
  return ok(await begunStreamOf(chunks), { 'content-type': 'text/plain; charset=utf-8' })
}

/** Beside the usual ones, for clients of an older form of paging. */
export function withPageHeaders<T>({ page }: Call, answer: Answer<T>, total: number): Answer<T> {
  const pages = Math.ceil(total / page.limit)
  const exposed = answer.headers?.['access-control-expose-headers'] ?? ''
  const headers = {
    ...answer.headers,
    'x-page': String(page.number),
    'x-perpage': String(page.limit),
    'x-total': String(total),
    'x-pagecount': String(pages),
    'x-hasmore': String(page.number < pages),
    'access-control-expose-headers': `${exposed}, X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore`,
  }
  return { ...answer, headers }
}

function readFilter(query: Query): CommitFilter {
  return {
    revision: query.text('sha'),
    path: query.text('path')?.replace(/^\/+|\/+$/g, ''),
    not: query.text('not'),
    since: readTime(query, 'since'),
    until: readTime(query, 'until'),
  }
}

function readTime(query: Query, key: 'since' | 'until'): number | undefined {
  const given = query.text(key)
  if (given === undefined || given === '') return undefined
  // A plus sign that was not encoded has arrived as a blank.
  const time = parseTime(given.replace(' ', '+'))
  if (time === undefined) throw invalid(`invalid '${key}' format, expected ISO 8601 (RFC3339)`)
  return Math.max(0, time)
}
