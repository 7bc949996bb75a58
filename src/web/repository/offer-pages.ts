import { basePath } from '../../config/urls.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { signedIn } from '../../http/call.ts'
import { findCurrent } from '../../repositories/load.ts'
import type { RepositoryView } from '../../repositories/view.ts'
import { loadOffered } from '../../transfers/load.ts'
import { acceptTransfer, isOfferedTo, rejectTransfer } from '../../transfers/transfer.ts'
import { html } from '../html.ts'
import type { Page, Site } from '../layout.ts'
import { formOf, pageOf, type Look } from '../look.ts'
import { renderOffer } from './offer.ts'
import { homeOf } from './visit.ts'
import type { PageServer } from '../page-server.ts'

/** Where one takes over what is offered, also a repository that is not shown before. */
export function offerPages(server: PageServer, ctx: Context, site: Site): void {
  const path = '/:owner/:repo/transfer'
  const show = pageOf(ctx, site, async (look) => {
    const view = await loadOfferOf(look)
    if (!(await isOfferedTo(ctx, signedIn(look.viewer), view))) throw notFound()
    return offerPage(ctx, view)
  })
  server.get(path, show)

  const accept = formOf(ctx, site, async (submitted) => {
    const view = await loadOfferOf(submitted)
    await acceptTransfer(ctx, submitted.viewer, view)
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

function offerPage(ctx: Context, view: RepositoryView): Page {
  const name = `${view.owner.name}/${view.repo.name}`
  return {
    title: `Take over ${name}`,
    narrow: true,
    content: html`<h1>${name}</h1><section class="sheet notice">${renderOffer(ctx, view, homeOf(ctx, view))}</section>`,
  }
}
