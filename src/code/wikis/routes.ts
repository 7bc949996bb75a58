import type { FastifyInstance } from 'fastify'
import { linksOf } from '../commits/present.ts'
import { asPage } from '../../repositories/repository/as-page.ts'
import { maxBodyBytes } from '../content/routes.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { HEAD_BYTES } from '../../platform/files/media-type.ts'
import { fileAnswer, fileRequest } from '../../platform/http/file-answer.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { createPage, editPage, removePage } from './edit.ts'
import { loadWikiFile } from './files.ts'
import { listPages, listRevisions, loadPage } from './pages.ts'
import { presentPage, presentPageMeta, presentWikiCommit, readPageEdit } from './present.ts'
import { assertEditsWiki, assertReadsWiki } from './rights.ts'
import {
  CreateWikiPageOptions,
  repoCreateWikiPage,
  repoDeleteWikiPage,
  repoEditWikiPage,
  repoGetWikiPage,
  repoGetWikiPageRevisions,
  repoGetWikiPages,
} from './schema.ts'

export function wikiRoutes(api: Api, ctx: Context): void {
  const wiki = '/repos/:owner/:repo/wiki'
  // A page may have slashes in its name.
  const one = `${wiki}/page/*pageName`
  const limit = maxBodyBytes(ctx.config)
  const show = async (view: RepositoryView, name: string) =>
    presentPage(linksOf(ctx.config, view), await loadPage(ctx, view.repo, name))

  api.get(`${wiki}/pages`, repoGetWikiPages, async (call) => {
    const view = await loadWiki(ctx, call)
    const found = await listPages(ctx, view.repo, call.page)
    return call.list(found, (page) => presentPageMeta(linksOf(ctx.config, view), page))
  })

  api.get(one, repoGetWikiPage, async (call) =>
    ok(await show(await loadWiki(ctx, call), call.rest)),
  )

  api.get(`${wiki}/revisions/*pageName`, repoGetWikiPageRevisions, async (call) => {
    const { repo } = await loadWiki(ctx, call)
    const found = await listRevisions(ctx, repo, call.rest || 'Home', call.page)
    return call.listOf(found, {
      commits: found.items.map(presentWikiCommit),
      count: found.total,
    })
  })

  api.post(`${wiki}/new`, repoCreateWikiPage, async (call) => {
    const view = await loadEditableWiki(ctx, call)
    const edit = readPageEdit(await call.body(CreateWikiPageOptions, limit))
    if (edit.title === '') throw new AppError('bad_request', 'the title is empty')
    return created(await show(view, await createPage(ctx, call.signedIn(), view.repo, edit)))
  })

  api.patch(one, repoEditWikiPage, async (call) => {
    const view = await loadEditableWiki(ctx, call)
    const edit = readPageEdit(await call.body(CreateWikiPageOptions, limit))
    const file = await editPage(ctx, call.signedIn(), view.repo, call.rest, edit)
    return ok(await show(view, file))
  })

  api.delete(one, repoDeleteWikiPage, async (call) => {
    const { repo } = await loadEditableWiki(ctx, call)
    await removePage(ctx, call.signedIn(), repo, call.rest)
    return noContent()
  })
}

/** Files of a wiki at addresses outside /api/v1: its pages show pictures from there. */
export function wikiFilePages(server: FastifyInstance, ctx: Context): void {
  const answer = async (call: Call) => {
    const { repo, owner } = await loadWiki(ctx, call)
    const file = await loadWikiFile(ctx, repo, call.rest, HEAD_BYTES)
    const isPrivate = repo.isPrivate || owner.visibility !== 'public'
    const request = fileRequest(call)
    const showsSvg = ctx.config.attachment.show_svg
    const elsewhere = call.elsewhere(isPrivate)
    if (elsewhere) return elsewhere
    if (file.isFromGit) await call.holdPlace(repo)
    return fileAnswer(request, { ...file, isPrivate, showsSvg })
  }
  const page = asPage(ctx, repoGetWikiPage, answer)
  server.get('/:owner/:repo/wiki/raw/*', { config: { isFile: true } }, page)
}

async function loadWiki(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  assertReadsWiki(view)
  return view
}

async function loadEditableWiki(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadWiki(ctx, call)
  call.signedIn()
  assertEditsWiki(view)
  return view
}
