import { basePath } from '../../config/urls.ts'
import { readPage } from '../../http/paging.ts'
import { listVersions, sizesOf } from '../../packages/packages.ts'
import { pagePath } from '../../packages/present.ts'
import { viewPackages, type PackageView } from '../../packages/view.ts'
import { counted, sizeText, timeAgo } from '../figures.ts'
import { renderRows, type SettingsRow } from '../forms/settings.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { personLink } from '../person.ts'
import { renderPager } from '../pages/pager.ts'
import { adminPath, inSection } from './section.ts'

/** Every version of every package, the newest first. */
export async function showPackages(look: SignedInLook): Promise<Page> {
  const { ctx, viewer, query, request } = look
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const keyword = query.text('q')?.trim() ?? ''
  const { items, total } = await listVersions(ctx, { keyword }, page)
  const views = await viewPackages(ctx, viewer, items)
  const sizes = await sizesOf(ctx, items)
  return inSection(
    look,
    'packages',
    html`
<h2>Packages</h2>
<form class="filter" action="${adminPath(look, 'packages')}" role="search" aria-label="This list">
<input type="search" name="q" value="${keyword}" placeholder="Name" aria-label="Name">
<button class="button" type="submit">Search</button>
</form>
<p class="mute">${counted(total, 'version')}</p>
${renderRows(
  views.map((view) => renderVersion(look, view, sizes.get(view.version.id) ?? 0)),
  'There is none.',
)}
${renderPager(ctx.config, request, page, total)}`,
  )
}

function renderVersion({ ctx }: Look, view: PackageView, size: number): SettingsRow {
  const { version, owner, creator } = view
  const path = `${basePath(ctx.config)}${pagePath(owner, version)}`
  return {
    title: html`<a href="${path}">${owner.name}/${version.name}</a> <span class="tag">${version.version}</span>`,
    about: html`${sizeText(size)} · ${version.type} · ${personLink(ctx.config, creator)} published it ${timeAgo(ctx.now(), version.createdAt)}`,
  }
}
