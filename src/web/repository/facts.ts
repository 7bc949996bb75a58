import { colorOf } from '../../code/analysis/colors.ts'
import { loadLanguages } from '../../code/analysis/load.ts'
import { attachmentsOfReleases } from '../../repositories/attachments/load.ts'
import { findLatestOf } from '../../delivery/releases/load.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { counted, sizeText, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { languageDot } from '../language-dot.ts'
import { renderClone } from './clone.ts'
import { archivePath, type NamedRef } from './source.ts'
import { pathTo, type Visit } from './visit.ts'

const MAX_LANGUAGES = 6

/** What there is to know about a repository, beside its files. */
export async function renderFacts(visit: Visit, ref: NamedRef): Promise<Html> {
  return html`<aside>
${renderClone(visit)}
<p class="mute">Download <a href="${archivePath(visit, ref, 'zip')}">ZIP</a> or <a href="${archivePath(visit, ref, 'tar.gz')}">TAR.GZ</a></p>
${await renderLatestRelease(visit)}
${await renderLanguages(visit)}
${renderAbout(visit)}
</aside>`
}

async function renderLatestRelease(visit: Visit): Promise<Part> {
  const { ctx, view } = visit
  if (!readsUnit(view, 'repo.releases')) return undefined
  const release = await findLatestOf(ctx, view)
  if (!release) return undefined
  await ctx.downloadCounts.flush()
  const files = (await attachmentsOfReleases(ctx.db, [release.id])).get(release.id) ?? []
  const downloads = files.reduce((sum, { downloadCount }) => sum + downloadCount, 0)
  return html`<h2>Latest release</h2>
<p><a href="${pathTo(visit, 'releases', 'tag', release.tagName)}"><b>${release.title || release.tagName}</b></a>
<span class="mute">${timeAgo(ctx.now(), release.publishedAt ?? release.createdAt)}</span></p>
${files.length > 0 && html`<p class="mute">${counted(files.length, 'asset')} · ${counted(downloads, 'download')}</p>`}`
}

interface Share {
  readonly language: string
  readonly bytes: number
}

async function renderLanguages({ ctx, view: { repo } }: Visit): Promise<Part> {
  const all = await loadLanguages(ctx, repo)
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total === 0) return undefined
  const shown = all.slice(0, MAX_LANGUAGES)
  const rest = total - shown.reduce((sum, { bytes }) => sum + bytes, 0)
  const shares = rest > 0 ? [...shown, { language: 'Other', bytes: rest }] : shown
  return html`<h2>Languages</h2>
<svg class="languages" viewBox="0 0 1000 8" width="100%" height="8" preserveAspectRatio="none" aria-hidden="true">${bars(shares, total)}</svg>
<ul class="plain mute">${shares.map(({ language, bytes }) => html`<li>${languageDot(language)} ${language} ${percent(bytes / total)}</li>`)}</ul>`
}

function bars(shares: readonly Share[], total: number): readonly Html[] {
  let from = 0
  return shares.map(({ language, bytes }) => {
    const x = Math.round((from / total) * 1000)
    from += bytes
    const width = Math.round((from / total) * 1000) - x
    return html`<rect fill="${colorOf(language)}" x="${x}" y="0" width="${width}" height="8"></rect>`
  })
}

function percent(share: number): string {
  const whole = Math.round(share * 100)
  return whole === 0 ? 'under 1 %' : `${whole} %`
}

function renderAbout({ ctx, view: { repo } }: Visit): Html {
  return html`<h2>About</h2>
<ul class="plain mute">
${repo.licenses.length > 0 && html`<li>${repo.licenses.join(', ')} license</li>`}
<li>${sizeText(repo.size)}</li>
<li>created ${timeAgo(ctx.now(), repo.createdAt)}</li>
</ul>`
}
