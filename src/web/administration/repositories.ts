import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { counted, sizeText, timeAgo } from '../figures.ts'
import { renderChoices } from '../forms/fields.ts'
import type { SettingsRow } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { tagsOf } from '../pages/repository-list.ts'
import { searchPage } from '../repository-search.ts'
import { listPage } from './list.ts'

const orders = [
  { value: 'updated', label: 'Recently updated' },
  { value: 'size', label: 'Largest' },
  { value: 'alpha', label: 'Name' },
] as const

export async function showRepositories(look: SignedInLook): Promise<Page> {
  const { items, total, page, text, sort } = await searchPage(look, undefined, 'updated')
  return listPage(look, 'repos', {
    heading: 'Repositories',
    find: 'Name or description',
    text,
    choices: html`<select name="sort" aria-label="Order">${renderChoices(orders, sort)}</select>`,
    rows: items.map((view) => renderRepository(look, view)),
    page,
    total,
    counted: counted(total, 'repository', 'repositories'),
  })
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
