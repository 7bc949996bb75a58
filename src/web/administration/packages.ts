import { basePath } from '../../platform/config/urls.ts'
import { listAllVersions, sizesOf } from '../../delivery/packages/packages.ts'
import { pagePath } from '../../delivery/packages/present.ts'
import { viewPackages, type PackageView } from '../../delivery/packages/view.ts'
import { counted, sizeText, timeAgo } from '../figures.ts'
import type { SettingsRow } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { personLink } from '../person.ts'
import { listPage, readAsked } from './list.ts'

/** Every version of every package, the newest first. */
export async function showPackages(look: SignedInLook): Promise<Page> {
  const { ctx, viewer } = look
  const { page, text } = readAsked(look)
  const { items, total } = await listAllVersions(ctx, viewer, { keyword: text }, page)
  const views = await viewPackages(ctx, viewer, items)
  const sizes = await sizesOf(ctx, items)
  return listPage(look, 'packages', {
    heading: 'Packages',
    find: 'Name',
    text,
    rows: views.map((view) => renderVersion(look, view, sizes.get(view.version.id) ?? 0)),
    page,
    total,
    counted: counted(total, 'version'),
  })
}

function renderVersion({ ctx }: Look, view: PackageView, size: number): SettingsRow {
  const { version, owner, creator } = view
  const path = `${basePath(ctx.config)}${pagePath(owner, version)}`
  return {
    title: html`<a href="${path}">${owner.name}/${version.name}</a> <span class="tag">${version.version}</span>`,
    about: html`${sizeText(size)} · ${version.type} · ${personLink(ctx.config, creator)} published it ${timeAgo(ctx.now(), version.createdAt)}`,
  }
}
