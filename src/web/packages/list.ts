import { basePath } from '../../platform/config/urls.ts'
import { loadPublisher } from '../../delivery/packages/access.ts'
import { listVersions } from '../../delivery/packages/packages.ts'
import { pagePath } from '../../delivery/packages/present.ts'
import { viewPackages, type PackageView } from '../../delivery/packages/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { inOwnerFrame } from '../owner-frame.ts'
import { renderPager } from '../pages/pager.ts'
import { personLink } from '../person.ts'
import { pageOf } from '../repository/page-number.ts'
import { packagesPath } from './paths.ts'

const PER_PAGE = 30

/** Every version of every package, the newest first. */
export async function showPackages(look: Look): Promise<Page> {
  const { ctx, viewer, query, request } = look
  const owner = await loadPublisher(ctx, viewer, look.param('owner'))
  const keyword = query.text('q')?.trim() ?? ''
  const page = pageOf(query, PER_PAGE)
  const { items, total } = await listVersions(ctx, { ownerId: owner.id, keyword }, page)
  const views = await viewPackages(ctx, viewer, items)
  const isEmpty = total === 0 && keyword === ''
  const content = html`
${!isEmpty && renderSearch(look, owner, keyword)}
${total === 0 ? renderNothing(keyword) : html`<section class="sheet"><ul class="entries">${views.map((one) => renderItem(look, one))}</ul></section>`}
${renderPager(ctx.config, request, page, total)}`
  return inOwnerFrame(look, owner, { tab: 'packages', title: 'Packages', content })
}

function renderSearch(look: Look, owner: Account, keyword: string): Html {
  return html`<form class="row" role="search" aria-label="This list" action="${packagesPath(look, owner)}"><input type="search" name="q" value="${keyword}" placeholder="Find a package" aria-label="Find a package"> <button class="button">Search</button></form>`
}

function renderNothing(keyword: string): Html {
  if (keyword !== '') return html`<p class="sheet notice mute">Nothing fits “${keyword}”.</p>`
  return html`<section class="sheet empty"><h2>There is no package</h2><p class="mute">A package is published by a program, with its version: <code>PUT /api/packages/OWNER/generic/NAME/VERSION/FILE</code></p></section>`
}

function renderItem({ ctx }: Look, view: PackageView): Html {
  const { version, owner, creator } = view
  const path = `${basePath(ctx.config)}${pagePath(owner, version)}`
  return html`<li><div class="about"><b><a href="${path}">${version.name}</a></b> <span class="tag">${version.version}</span>
<p class="mute">${personLink(ctx.config, creator)} published it ${timeAgo(ctx.now(), version.createdAt)}${renderOrigin(view)}</p></div></li>`
}

function renderOrigin({ repository }: PackageView): Part {
  return repository && html` · from ${repository.repo.name}`
}
