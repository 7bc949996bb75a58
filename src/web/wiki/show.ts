import { findAuthorsFor } from '../../code/commits/authors.ts'
import { isNotFound, notFound } from '../../platform/errors.ts'
import { FOOTER, SIDEBAR, titleOfFile } from '../../code/wikis/name.ts'
import { listPages, loadPage, type WholePage } from '../../code/wikis/pages.ts'
import { assertReadsWiki } from '../../code/wikis/rights.ts'
import { counted } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { renderPager } from '../pages/pager.ts'
import { renderClone } from '../repository/clone.ts'
import { authorOf, commitTime } from '../repository/commit-line.ts'
import { pageOf } from '../repository/page-number.ts'
import type { Show, Shown, Visit } from '../repository/visit.ts'
import { HOME, nameOf, newPath, pagePath } from './path.ts'
import { isEditable, mayWrite } from './rights.ts'
import { renderText } from './text.ts'

const PER_PAGE = 50

/** One page. Whoever may write begins one that is missing. */
export const showPage: Show = async (visit) => {
  const { ctx, view } = visit
  assertReadsWiki(view)
  const name = nameOf(visit)
  const page = await orMissing(loadPage(ctx, view.repo, name))
  if (page) return inTab(titleOfFile(page.file), await renderPage(visit, page))
  if (name === HOME) return showBeginning(visit)
  if (mayWrite(visit)) return { leadsTo: newPath(visit, name) }
  throw notFound()
}

/**
 * Where there is no first page, the others are listed; where there are none, what a wiki is for is
 * told.
 */
async function showBeginning(visit: Visit): Promise<Shown> {
  const one = { number: 1, limit: 1, offset: 0 }
  const found = await orMissing(listPages(visit.ctx, visit.view.repo, one))
  if (found && found.total > 0) return { leadsTo: `${visit.home}/wiki/_pages` }
  return inTab(
    'Wiki',
    html`<section class="sheet empty">
<h2>There are no pages yet</h2>
<p class="mute">A wiki is for what should be read besides the code: how things work, how they are done, what was decided.</p>
${mayWrite(visit) && html`<p><a class="button" href="${newPath(visit, HOME)}">Write the first page</a></p>`}
</section>`,
  )
}

async function renderPage(visit: Visit, page: WholePage): Promise<Html> {
  const { file, content, sidebar, footer } = page
  const text = await renderText(visit, file, content)
  const aside =
    sidebar.length > 0 &&
    html`<aside class="wiki-side">${await renderText(visit, SIDEBAR, sidebar)}</aside>`
  return html`<div class="row"><h2 class="wiki-title">${titleOfFile(file)}</h2>
<span class="end row-end"><a class="button" href="${visit.home}/wiki/_pages">All pages</a>
${mayWrite(visit) && isEditable(page) && html`<a class="button" href="${pagePath(visit, file, 'edit')}" data-keys="e" data-keys-label="Edit this page">${icon('pencil')} Edit</a>`}
${mayWrite(visit) && html`<a class="button main" href="${newPath(visit)}">New page</a>`}</span></div>
${await renderChange(visit, page)}
<div class="${aside ? 'split' : ''}"><div>
<section class="sheet" aria-label="${titleOfFile(file)}">${content.length > 0 ? text : html`<p class="blank">${page.isTooLarge ? 'The page is too large to be shown here.' : 'The page is empty.'}</p>`}</section>
${footer.length > 0 && html`<footer class="wiki-foot">${await renderText(visit, FOOTER, footer)}</footer>`}
</div>${aside}</div>`
}

async function renderChange(
  visit: Visit,
  { file, lastCommit, commitCount }: WholePage,
): Promise<Part> {
  if (!lastCommit) return undefined
  const { authors } = await findAuthorsFor(visit.ctx, visit.viewer, [lastCommit])
  return html`<p class="mute">${authorOf(visit, lastCommit, authors)} changed this ${commitTime(visit, lastCommit)} · <a href="${pagePath(visit, file, 'history')}">${counted(commitCount, 'change')}</a></p>`
}

export const showPages: Show = async (visit) => {
  const { ctx, view, query, request } = visit
  assertReadsWiki(view)
  const page = pageOf(query, PER_PAGE)
  const found = (await orMissing(listPages(ctx, view.repo, page))) ?? { items: [], total: 0 }
  const items = found.items.map(
    ({ file, lastCommit }) => html`<li>${icon('file')}
<div class="about"><b><a href="${pagePath(visit, file)}">${titleOfFile(file)}</a></b></div>
<span class="end mute">${lastCommit && commitTime(visit, lastCommit)}</span></li>`,
  )
  return inTab(
    'All pages',
    html`<div class="row"><h2 class="wiki-title">All pages</h2>
${mayWrite(visit) && html`<a class="button main end" href="${newPath(visit)}">New page</a>`}</div>
${items.length === 0 ? html`<p class="sheet blank">There are no pages yet.</p>` : html`<section class="sheet"><ul class="entries">${items}</ul></section>`}
${renderPager(ctx.config, request, page, found.total)}
${found.total > 0 && renderClone(visit, '.wiki')}`,
  )
}

export function inTab(title: string, content: Html) {
  return { tab: 'wiki', title, content } as const
}

async function orMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}
