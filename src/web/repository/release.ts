import { presentFiles } from '../../delivery/releases/present.ts'
import type { Release } from '../../delivery/releases/release.ts'
import type { ReleaseView } from '../../delivery/releases/view.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { avatar } from '../avatar.ts'
import { counted, sizeText, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import type { Note } from '../issues/speech.ts'
import { personLink } from '../person.ts'
import { mayRelease } from '../releases/rights.ts'
import { archivePath, codePath, type NamedRef } from './source.ts'
import { pathTo, type Visit } from './visit.ts'

interface ReleaseOptions {
  readonly isLatest: boolean
  /** A rule says who may change its tag. */
  readonly isProtected: boolean
  readonly note: Note
}

/** Notes and files of a release. */
export async function renderRelease(
  visit: Visit,
  shown: ReleaseView,
  { isLatest, isProtected, note }: ReleaseOptions,
): Promise<Html> {
  const { release } = shown
  const ref = { kind: 'tag', name: release.tagName } as const
  const page = pathTo(visit, 'releases', 'tag', release.tagName)
  const files = [...renderFiles(visit, shown), ...renderSources(visit, release, ref)]
  return html`<article class="sheet release">
<header>
<h2><a href="${page}">${release.title || release.tagName}</a></h2>
${tagsOf(release, isLatest)}
${mayRelease(visit) && html`<span class="end"><a href="${pathTo(visit, 'releases/edit', release.tagName)}">${icon('pencil')} Edit</a></span>`}
</header>
${renderOrigin(visit, shown, ref, isProtected)}
${release.note !== '' && html`<div class="prose">${await note(release.note, notesRef(visit, release))}</div>`}
${files.length > 0 && html`<footer><h3>Files</h3><ul class="entries">${files}</ul></footer>`}
</article>`
}

function tagsOf({ isDraft, isPrerelease }: Release, isLatest: boolean): Part {
  if (isDraft) return html`<span class="tag">Draft</span>`
  if (isPrerelease) return html`<span class="tag">Pre-release</span>`
  return isLatest && html`<span class="tag good">Latest</span>`
}

/** The tag of a draft need not be there yet, and is not marked. */
function renderOrigin(
  visit: Visit,
  { release, author }: ReleaseView,
  ref: NamedRef,
  isProtected: boolean,
): Html {
  const { ctx, view } = visit
  const code = readsUnit(view, 'repo.code') && !release.isDraft
  const tag = code
    ? html`<a href="${codePath(visit, 'src', ref)}">${ref.name}</a>`
    : html`${ref.name}`
  return html`<p class="origin mute">
${author && html`${avatar(ctx.config, author, 20)} ${personLink(ctx.config, author)} `}${release.isDraft ? 'drafted' : 'released'} this ${timeAgo(ctx.now(), release.publishedAt ?? release.createdAt)}
<span class="mute">${icon('tag')} ${tag}${isProtected && !release.isDraft && html` <span class="tag">Protected</span>`}</span></p>`
}

/** What the notes refer to stands at the tag; that of a draft need not be there yet. */
function notesRef({ view }: Visit, { isDraft, tagName }: Release): NamedRef {
  return isDraft
    ? { kind: 'branch', name: view.repo.defaultBranch }
    : { kind: 'tag', name: tagName }
}

function renderFiles({ ctx, view }: Visit, { release, files }: ReleaseView): readonly Html[] {
  const addresses = presentFiles(ctx.config, view, release, files, false)
  return files.map((file, index) => {
    const { pathname } = new URL(addresses[index]?.browser_download_url ?? '')
    return html`<li>
${icon('file')}
<div class="about"><b><a href="${pathname}">${file.name}</a></b>
<p class="mute"><span title="sha256:${file.sha256}">sha256 ${file.sha256.slice(0, 12)}…</span></p></div>
<span class="end mute">${counted(file.downloadCount, 'download')} · ${sizeText(file.size)}</span>
</li>`
  })
}

function renderSources(visit: Visit, { isDraft }: Release, ref: NamedRef): readonly Html[] {
  if (isDraft || !readsUnit(visit.view, 'repo.code')) return []
  return (['zip', 'tar.gz'] as const).map(
    (format) => html`<li>
${icon('archive')}
<div class="about"><b><a href="${archivePath(visit, ref, format)}">Source code (${format})</a></b></div>
</li>`,
  )
}
