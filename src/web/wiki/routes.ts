import { maxBodyBytes } from '../../code/content/routes.ts'
import type { Context } from '../../platform/context.ts'
import type { Site } from '../layout.ts'
import { repositoryForm } from '../repository/form.ts'
import { keepingStyle } from '../repository/patch-style.ts'
import { repositoryPage, type Show } from '../repository/visit.ts'
import { showEdit, showNewPage, takeChange, takeNewPage } from './edit.ts'
import { assertMayWrite } from './rights.ts'
import type { PageServer } from '../page-server.ts'
import { showChange, showHistory } from './history.ts'
import { showPage, showPages } from './show.ts'

/** The pages of a wiki, and the forms that change them. */
export function wikiPages(server: PageServer, ctx: Context, site: Site): void {
  const wiki = '/:owner/:repo/wiki'
  // Whatever stands in a form may be escaped.
  const terms = { admit: assertMayWrite, maxBytes: 3 * maxBodyBytes(ctx.config) }
  server.get(wiki, repositoryPage(ctx, site, showPage))
  server.get(`${wiki}/_pages`, repositoryPage(ctx, site, showPages))
  server.get(`${wiki}/_new`, repositoryPage(ctx, site, showNewPage))
  server.post(`${wiki}/_new`, repositoryForm(ctx, site, takeNewPage, terms))
  server.get(`${wiki}/*`, keepingStyle(ctx.config, repositoryPage(ctx, site, showByAction)))
  server.post(`${wiki}/*`, repositoryForm(ctx, site, takeChange, terms))
}

/** Any name may be that of a page: what else is wanted of it is asked behind it. */
const showByAction: Show = async (visit) => {
  const action = visit.query.text('action')
  if (action === 'edit') return showEdit(visit)
  if (action === 'change') return showChange(visit)
  return action === 'history' ? showHistory(visit) : showPage(visit)
}
