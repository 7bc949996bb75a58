import { basePath, baseUrl, encodeSegment } from '../../platform/config/urls.ts'
import { assertPublishesFor, loadPublisher, mayPublishFor } from '../../delivery/packages/access.ts'
import type { PackageFile, PackageVersion } from '../../delivery/packages/package.ts'
import {
  filesOf,
  listVersions,
  loadVersion,
  removeVersion,
} from '../../delivery/packages/packages.ts'
import { filePath, pagePath } from '../../delivery/packages/present.ts'
import { viewPackages } from '../../delivery/packages/view.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { sizeText, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import type { Page } from '../layout.ts'
import type { Look, Shown, Submitted } from '../look.ts'
import { inOwnerFrame } from '../owner-frame.ts'
import { personLink } from '../person.ts'
import { renderRemoval } from '../tracker/removal.ts'
import { packagesPath } from './paths.ts'

const MAX_VERSIONS = 30

/** A version of a package: its files, how they are had, and the other versions. */
export async function showVersion(look: Look, mistyped?: string): Promise<Page> {
  const { ctx, viewer } = look
  const owner = await loadPublisher(ctx, viewer, look.param('owner'))
  const version = await loadOfPath(look, owner)
  const [view] = await viewPackages(ctx, viewer, [version])
  const files = await filesOf(ctx, version)
  const others = await findOthers(look, version)
  const content = html`
<div class="title"><h2>${version.name} <span class="tag">${version.version}</span></h2></div>
<p class="mute">${view && personLink(ctx.config, view.creator)} published it ${timeAgo(ctx.now(), version.createdAt)}${view?.repository && renderOrigin(look, view.repository)}</p>
<h3>Files</h3>
<section class="sheet"><ul class="entries">${files.map((file) => renderFile(look, owner, version, file))}</ul></section>
${files[0] && renderHowTo(look, owner, version, files[0])}
${others.length > 0 && renderOthers(look, owner, others)}
${(await mayPublishFor(ctx, viewer, owner)) && renderDeletion(look, owner, version, mistyped)}`
  return inOwnerFrame(look, owner, {
    tab: 'packages',
    title: `${version.name} ${version.version}`,
    content,
  })
}

export async function takeDeletion(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const owner = await loadPublisher(ctx, viewer, submitted.param('owner'))
  await assertPublishesFor(ctx, viewer, owner)
  const version = await loadOfPath(submitted, owner)
  const typed = (form.get('confirm') ?? '').trim()
  if (typed !== version.version) return { page: await showVersion(submitted, typed), status: 422 }
  await removeVersion(ctx, viewer, version)
  return { leadsTo: packagesPath(submitted, owner) }
}

async function loadOfPath({ ctx, param }: Look, { id }: Account): Promise<PackageVersion> {
  const path = { ownerId: id, type: param('type'), name: param('name') }
  return loadVersion(ctx, path, param('version'))
}

async function findOthers(
  { ctx }: Look,
  { id, ownerId, type, name }: PackageVersion,
): Promise<readonly PackageVersion[]> {
  const page = { number: 1, limit: MAX_VERSIONS, offset: 0 }
  const { items } = await listVersions(ctx, { ownerId, type, name }, page)
  return items.filter((one) => one.id !== id)
}

function renderOrigin({ ctx }: Look, { owner, repo }: RepositoryView): Html {
  const path = [owner.name, repo.name].map(encodeSegment).join('/')
  return html` · from <a href="${basePath(ctx.config)}/${path}">${repo.name}</a>`
}

function renderFile(
  { ctx }: Look,
  owner: Account,
  version: PackageVersion,
  { name, size, sha256 }: PackageFile,
): Html {
  const path = `${basePath(ctx.config)}${pagePath(owner, version)}/files/${encodeSegment(name)}`
  return html`<li><div class="about"><b><a href="${path}">${icon('download')} ${name}</a></b> <span class="mute">${sizeText(size)}</span>
<p class="mute">SHA-256 <code>${sha256}</code></p></div></li>`
}

function renderHowTo(
  { ctx }: Look,
  owner: Account,
  version: PackageVersion,
  { name }: PackageFile,
): Html {
  const url = `${baseUrl(ctx.config)}${filePath(owner, version, name)}`
  return html`<h3>From a terminal</h3><pre><code>curl -O ${url}</code></pre>`
}

function renderOthers({ ctx }: Look, owner: Account, others: readonly PackageVersion[]): Html {
  const item = (one: PackageVersion) =>
    html`<li><a href="${basePath(ctx.config)}${pagePath(owner, one)}">${one.version}</a> <span class="mute">${timeAgo(ctx.now(), one.createdAt)}</span></li>`
  return html`<h3>Other versions</h3><ul class="plain">${others.map(item)}</ul>`
}

function renderDeletion(
  { ctx }: Look,
  owner: Account,
  version: PackageVersion,
  mistyped: string | undefined,
): Part {
  const action = `${basePath(ctx.config)}${pagePath(owner, version)}/delete`
  const warning = `${version.name} ${version.version} goes with its files.`
  return html`<div class="ref-forms">${renderRemoval({ action, name: version.version, warning, mistyped })}</div>`
}
