import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { listCounted, type CountedOrganization } from '../../identity/organizations/statistics.ts'
import { repositoryCounts } from '../../repositories/repository/statistics.ts'
import type { Account } from '../../identity/users/account.ts'
import { counted } from '../figures.ts'
import type { SettingsRow } from '../forms/settings.ts'
import { html, type Part } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { pathIn } from '../organizations/section.ts'
import { listPage, readAsked } from './list.ts'

export async function showOrganizations(look: SignedInLook): Promise<Page> {
  const { page, text } = readAsked(look)
  const { items, total } = await listCounted(look.ctx, text, page)
  const repositories = await repositoryCounts(
    look.ctx,
    items.map(({ org }) => org.id),
  )
  return listPage(look, 'orgs', {
    heading: 'Organizations',
    find: 'Name',
    text,
    rows: items.map((item) => renderOrganization(look, item, repositories.get(item.org.id) ?? 0)),
    page,
    total,
    counted: counted(total, 'organization'),
  })
}

function renderOrganization(
  look: Look,
  { org, members }: CountedOrganization,
  repositories: number,
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
