import { basePath } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { signedIn } from '../../platform/http/call.ts'
import { findCurrent } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { loadOffered } from '../../code/transfers/load.ts'
import { acceptTransfer, loadComingAlong, rejectTransfer } from '../../code/transfers/transfer.ts'
import { html } from '../../platform/html.ts'
import type { Page, Site } from '../layout.ts'
import { formOf, pageOf, type Look } from '../look.ts'
import { markRepositorySeen } from '../notifications/seen.ts'
import { renderOffer } from './offer.ts'
import { homeOf } from './visit.ts'
import type { PageServer } from '../page-server.ts'

/** Where one takes over what is offered, also a repository that is not shown before. */
export function offerPages(server: PageServer, ctx: Context, site: Site): void {
  const path = '/:owner/:repo/transfer'
  const show = pageOf(ctx, site, async (look) => {
    const view = await loadOfferOf(look)
    await markRepositorySeen(look, view.repo)
    return showOffer(look, view)
  })
  server.get(path, show)

  const accept = formOf(ctx, site, async (submitted) => {
    const view = await loadOfferOf(submitted)
    try {
      await acceptTransfer(ctx, submitted.viewer, view, submitted.form.get('seen') ?? '')
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'precondition_failed') throw error
      const problem = 'What comes with it has changed. Look at it again.'
      return { page: await showOffer(submitted, view, problem), status: 422 }
    }
    return { leadsTo: homeOf(ctx, await findCurrent(ctx, submitted.viewer, view.repo.id)) }
  })
  server.post(`${path}/accept`, accept)

  const reject = formOf(ctx, site, async (submitted) => {
    await rejectTransfer(ctx, submitted.viewer, await loadOfferOf(submitted))
    return { leadsTo: `${basePath(ctx.config)}/` }
  })
  server.post(`${path}/reject`, reject)
}

async function loadOfferOf({ ctx, viewer, param }: Look): Promise<RepositoryView> {
  return loadOffered(ctx, viewer, { owner: param('owner'), repo: param('repo') })
}

async function showOffer(
  { ctx, viewer }: Look,
  view: RepositoryView,
  problem?: string,
): Promise<Page> {
  const along = await loadComingAlong(ctx, signedIn(viewer), view)
  if (!along) throw notFound()
  const name = `${view.owner.name}/${view.repo.name}`
  return {
    title: `Take over ${name}`,
    narrow: true,
    content: html`<h1>${name}</h1><section class="sheet notice">${problem && html`<p role="alert">${problem}</p>`}${renderOffer(ctx, view, homeOf(ctx, view), along)}</section>`,
  }
}
