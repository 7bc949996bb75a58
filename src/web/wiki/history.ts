import { findAuthorsFor } from '../../code/commits/authors.ts'
import { titleOfFile } from '../../code/wikis/name.ts'
import { listRevisions, loadPage } from '../../code/wikis/pages.ts'
import { loadRevision } from '../../code/wikis/revision.ts'
import { assertReadsWiki } from '../../code/wikis/rights.ts'
import { counted } from '../figures.ts'
import { html } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { authorOf, commitTime, pictureOf, subjectOf } from '../repository/commit-line.ts'
import { pageOf } from '../repository/page-number.ts'
import { renderPatch } from '../repository/patch.ts'
import { whitespaceOf } from '../repository/patch-style.ts'
import type { Show } from '../repository/visit.ts'
import { changePath, nameOf, pagePath } from './path.ts'
import { inTab } from './show.ts'

const PER_PAGE = 50

/** Who changed a page, newest first. */
export const showHistory: Show = async (visit) => {
  const { ctx, view, query, request } = visit
  assertReadsWiki(view)
  const { file } = await loadPage(ctx, view.repo, nameOf(visit))
  const page = pageOf(query, PER_PAGE)
  const found = await listRevisions(ctx, view.repo, file, page)
  const { authors } = await findAuthorsFor(ctx, visit.viewer, found.items)
  const items = found.items.map(
    (commit) => html`<li>${pictureOf(visit, commit, authors)}
<div class="about"><b><a class="subject" href="${changePath(visit, file, commit.id)}">${subjectOf(commit)}</a></b>
<p class="mute">${authorOf(visit, commit, authors)} ${commitTime(visit, commit)}</p></div>
<span class="end id mute">${commit.id.slice(0, 10)}</span></li>`,
  )
  const title = titleOfFile(file)
  return inTab(
    `History of ${title}`,
    html`<h2 class="wiki-title">History of <a href="${pagePath(visit, file)}">${title}</a></h2>
<section class="sheet"><ul class="entries">${items}</ul></section>
${renderPager(ctx.config, request, page, found.total)}`,
  )
}

/** What one of these changes was, also in other pages. */
export const showChange: Show = async (visit) => {
  const { ctx, view, query } = visit
  assertReadsWiki(view)
  const { file } = await loadPage(ctx, view.repo, nameOf(visit))
  const { commit, patch } = await loadRevision(
    ctx,
    view.repo,
    query.text('commit') ?? '',
    whitespaceOf(visit),
  )
  const { authors } = await findAuthorsFor(ctx, visit.viewer, [commit])
  const body = commit.message.trim().split('\n').slice(1).join('\n').trim()
  return inTab(
    subjectOf(commit),
    html`<section class="sheet commit" aria-label="Change">
<header><h2>${subjectOf(commit)}</h2>
<span class="end"><a class="button" href="${pagePath(visit, file, 'history')}">History of ${titleOfFile(file)}</a></span></header>
${body !== '' && html`<pre class="text" tabindex="0">${body}</pre>`}
<footer>${pictureOf(visit, commit, authors)}
<span>${authorOf(visit, commit, authors)} <span class="mute">${commitTime(visit, commit)}</span></span>
<span class="end mute"><code>${commit.id}</code></span></footer>
</section>
<p class="changes">${counted(patch.files.length, 'file')} changed</p>
${await renderPatch(visit, patch, { page: changePath(visit, file, commit.id) })}`,
  )
}
