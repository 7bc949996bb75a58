import { basePath, encodeSegment } from '../../config/urls.ts'
import type { RepositoryView } from '../../repositories/view.ts'
import { counted, sizeText, timeAgo } from '../figures.ts'
import { renderChoices } from '../forms/fields.ts'
import { renderRows, type SettingsRow } from '../forms/settings.ts'
import { html, type Html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { tagsOf } from '../pages/repository-list.ts'
import { searchPage, type Listed } from '../repository-search.ts'
import { adminPath, inSection } from './section.ts'

const orders = [
  { value: 'updated', label: 'Recently updated' },
  { value: 'size', label: 'Largest' },
  { value: 'alpha', label: 'Name' },
] as const

export async function showRepositories(look: SignedInLook): Promise<Page> {
  const { ctx, request } = look
  const listed = await searchPage(look, undefined, 'updated')
  const { items, total, page } = listed
  return inSection(
    look,
    'repos',
    html`
<h2>Repositories</h2>
${renderSearch(look, listed)}
<p class="mute">${counted(total, 'repository', 'repositories')}</p>
${renderRows(
  items.map((view) => renderRepository(look, view)),
  'There is none.',
)}
${renderPager(ctx.config, request, page, total)}`,
  )
}

function renderSearch(look: Look, { text, sort }: Listed): Html {
  return html`
<form class="filter" action="${adminPath(look, 'repos')}" role="search" aria-label="This list">
<input type="search" name="q" value="${text}" placeholder="Name or description" aria-label="Name or description">
<select name="sort" aria-label="Order">${renderChoices(orders, sort)}</select>
<button class="button" type="submit">Search</button>
</form>`
}

function renderRepository({ ctx }: Look, view: RepositoryView): SettingsRow {
  const { repo, owner } = view
  const path = `${basePath(ctx.config)}/${encodeSegment(owner.name)}/${encodeSegment(repo.name)}`
  return {
    title: html`<a href="${path}">${owner.name}/${repo.name}</a> ${tagsOf(view).map((tag) => html`<span class="tag">${tag}</span> `)}`,
    about: html`${sizeText(repo.size)} · updated ${timeAgo(ctx.now(), repo.updatedAt)}`,
    action: html`<a class="button" href="${path}/settings">Settings</a>`,
  }
}
