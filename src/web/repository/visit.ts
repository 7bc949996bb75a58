import { marksOf, type Marks } from '../../repositories/stars-and-watches/stars-and-watches.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath, encodePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Caller, Context } from '../../platform/context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { Query } from '../../platform/http/query.ts'
import { REST } from '../../platform/http/router.ts'
import { absenceBehind, isAbsence } from '../../repositories/repository/absence.ts'
import { loadVisible } from '../../repositories/repository/load.ts'
import type { RepositoryPath } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { ComesAlong } from '../../code/transfers/comes-along.ts'
import { loadComingAlong } from '../../code/transfers/transfer.ts'
import { sendPage, type Page, type Site } from '../layout.ts'
import { sendRefusal } from '../refusal.ts'
import { mustSignIn } from '../../identity/callers/viewer.ts'
import { sendDocument, type Document } from '../send-document.ts'
import { signInPath } from '../sign-in-path.ts'
import { viewerOfPage } from '../viewer.ts'
import { inShell, toldIn, type InShell } from './shell.ts'

/** One look at a page of a repository. */
export interface Visit {
  readonly ctx: Context
  readonly viewer: Caller
  readonly view: RepositoryView
  /** Of a viewer who is signed in. */
  readonly marks: Marks | undefined
  /** What comes with the repository, where it is offered to the viewer, who has not decided yet. */
  readonly offered: ComesAlong | undefined
  /** The path of the repository's first page, with which links to its other pages begin. */
  readonly home: string
  readonly query: Query
  readonly request: FastifyRequest
  /** A parameter of the path; `*` is its rest. */
  readonly param: (name: string) => string
}

/**
 * What the page shows below the head of the repository, or where it leads instead; or what programs
 * read.
 */
export type Shown = InShell | { readonly leadsTo: string } | { readonly document: Document }

export type Show = (visit: Visit) => Promise<Shown>

/** What there is at the address of a repository that is not there, or has moved from there. */
export type FindInstead = (
  ctx: Context,
  viewer: Caller,
  path: RepositoryPath,
) => Promise<Page | undefined>

/** Answers requests for pages below `/:owner/:repo`. */
export function repositoryPage(ctx: Context, site: Site, show: Show, findInstead?: FindInstead) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const viewer = await viewerOfPage(ctx, request)
    request.caller = viewer
    if (mustSignIn(ctx, viewer, isCostly(request))) {
      return reply.redirect(signInPath(ctx, request), 303)
    }
    const plain = withoutGit(ctx, request)
    if (plain !== undefined) return reply.redirect(plain, 301)
    let visit: Visit | undefined
    try {
      visit = await openVisit(ctx, viewer, request)
      const shown = await show(visit)
      if ('leadsTo' in shown) return reply.redirect(shown.leadsTo, 303)
      if ('document' in shown) return sendDocument(reply, shown.document)
      return sendPage(reply, site, inShell(visit, shown))
    } catch (thrown) {
      const error = await absenceBehind(ctx, viewer, pathOf(request), thrown)
      const instead = isAbsence(error) && (await findInstead?.(ctx, viewer, pathOf(request)))
      if (instead) return sendPage(reply, site, instead)
      if (!(error instanceof AppError)) throw error
      const frame = visit && error === thrown ? toldIn(visit) : undefined
      return await sendRefusal(request, reply, site, error, frame)
    }
  }
}

/** No name holds a NUL, and PostgreSQL would not hear of one. */
export function pathOf({ params }: FastifyRequest): RepositoryPath {
  const { owner = '', repo = '' } = params as Readonly<Record<string, string>>
  return { owner: owner.replaceAll('\0', ''), repo: repo.replaceAll('\0', '') }
}

/** Of these a repository has so many that whoever follows every link never comes to an end. */
function isCostly({ url }: FastifyRequest): boolean {
  return /^\/[^/]+\/[^/]+\/(?:activity|atom|blame|commits?|compare|find|issues|pulls|rss|search|src|wiki)\b/.test(
    url,
  )
}

/** Addresses of clones lead to pages. */
function withoutGit({ config }: Context, { url, params }: FastifyRequest): string | undefined {
  const { repo = '' } = params as Readonly<Record<string, string>>
  if (!repo.endsWith('.git')) return undefined
  const plain = url.replace(/^(\/[^/]+\/[^/?]+)\.git(?=[/?]|$)/, '$1')
  return plain === url ? undefined : basePath(config) + plain
}

/** The repository of the path, as the viewer may see it. */
export async function openVisit(
  ctx: Context,
  viewer: Caller,
  request: FastifyRequest,
): Promise<Visit> {
  const params = request.params as Readonly<Record<string, string>>
  const param = (name: string) => params[name] ?? ''
  // No name holds a NUL, and PostgreSQL would not hear of one.
  if (Object.values(params).some((value) => value.includes('\0'))) throw notFound()
  const path = { owner: param('owner'), repo: param('repo') }
  const view = await loadVisible(ctx, viewer, path)
  const home = homeOf(ctx, view)
  const marks = viewer.account && (await marksOf(ctx, view.repo, viewer.account))
  const offered = await loadComingAlong(ctx, viewer, view)
  const query = new Query(request.query)
  return { ctx, viewer, view, marks, offered, home, query, request, param }
}

/** The path of a repository's first page. */
export function homeOf({ config }: Context, { owner, repo }: RepositoryView): string {
  return `${basePath(config)}/${encodeSegment(owner.name)}/${encodeSegment(repo.name)}`
}

/** The rest of the path of a page that takes one. */
export function restOf({ param }: Visit): string {
  return param(REST)
}

/** The address of a page below the repository, whose parts are encoded here. */
export function pathTo({ home }: Pick<Visit, 'home'>, ...parts: readonly string[]): string {
  return [home, ...parts.filter((part) => part !== '').map(encodePath)].join('/')
}
