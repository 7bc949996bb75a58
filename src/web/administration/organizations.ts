import { basePath, encodeSegment } from '../../config/urls.ts'
import { readPage } from '../../http/paging.ts'
import { listCounted, type CountedOrganization } from '../../organizations/statistics.ts'
import type { Account } from '../../users/account.ts'
import { counted } from '../figures.ts'
import { renderRows, type SettingsRow } from '../forms/settings.ts'
import { html, type Part } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { pathIn } from '../organizations/section.ts'
import { renderPager } from '../pages/pager.ts'
import { adminPath, inSection } from './section.ts'

export async function showOrganizations(look: SignedInLook): Promise<Page> {
  const { ctx, query, request } = look
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const text = query.text('q')?.trim() ?? ''
  const { items, total } = await listCounted(ctx, text, page)
  return inSection(
    look,
    'orgs',
    html`
<h2>Organizations</h2>
<form class="filter" action="${adminPath(look, 'orgs')}" role="search" aria-label="This list">
<input type="search" name="q" value="${text}" placeholder="Name" aria-label="Name">
<button class="button" type="submit">Search</button>
</form>
<p class="mute">${counted(total, 'organization')}</p>
${renderRows(
  items.map((item) => renderOrganization(look, item)),
  'There is none.',
)}
${renderPager(ctx.config, request, page, total)}`,
  )
}

function renderOrganization(
  look: Look,
  { org, members, repositories }: CountedOrganization,
): SettingsRow {
  const page = `${basePath(look.ctx.config)}/${encodeSegment(org.name)}`
  const said = [
    ...(org.fullName === '' ? [] : [org.fullName]),
    counted(members, 'member'),
    counted(repositories, 'repository', 'repositories'),
  ]
  return {
    title: html`<a href="${page}">${org.name}</a> ${renderVisibility(org)}`,
    about: said.join(' · '),
    action: html`<a class="button" href="${pathIn(look, org)}">Settings</a>`,
  }
}

function renderVisibility({ visibility }: Account): Part {
  if (visibility === 'public') return undefined
  return html`<span class="tag">${visibility === 'private' ? 'Private' : 'Limited'}</span>`
}
