import { loadProtection } from '../../code/protection/enforce.ts'
import {
  findLatestOf,
  listVisibleReleases,
  loadLatest,
  loadReleaseByTag,
} from '../../delivery/releases/load.ts'
import { viewReleases, type ReleaseView } from '../../delivery/releases/view.ts'
import { html, type Html } from '../../platform/html.ts'
import { loadNotes } from '../issues/speech.ts'
import { renderPager } from '../pages/pager.ts'
import { assertReadsReleases, mayRelease } from '../releases/rights.ts'
import { renderNewsLinks } from '../syndication/links.ts'
import { pageOf } from './page-number.ts'
import { renderRelease } from './release.ts'
import { pathTo, restOf, type Show, type Visit } from './visit.ts'

const PER_PAGE = 10

/** Newest first. */
export const showReleases: Show = async (visit) => {
  const { ctx, viewer, view, query } = visit
  assertReadsReleases(visit)
  const page = pageOf(query, PER_PAGE)
  await ctx.downloadCounts.flush()
  const found = await listVisibleReleases(ctx, viewer, view, {}, page)
  const releases = await viewReleases(ctx.db, found.items)
  return {
    tab: 'releases',
    title: 'Releases',
    newsOf: pathTo(visit, 'releases'),
    content: html`${mayRelease(visit) && html`<div class="row"><a class="button main end" href="${pathTo(visit, 'releases/new')}" data-keys="n" data-keys-label="New release">New release</a></div>`}
${found.total === 0 ? renderNone(visit) : await renderAll(visit, releases)}
${renderPager(ctx.config, visit.request, page, found.total)}
${found.total > 0 && renderNewsLinks(pathTo(visit, 'releases'))}`,
  }
}

export const showRelease: Show = async (visit) => {
  const { ctx, view } = visit
  assertReadsReleases(visit)
  const release = await loadReleaseByTag(ctx, view, restOf(visit))
  await ctx.downloadCounts.flush()
  return {
    tab: 'releases',
    title: release.title || release.tagName,
    content: await renderAll(visit, await viewReleases(ctx.db, [release])),
  }
}

export const showLatestRelease: Show = async (visit) => {
  assertReadsReleases(visit)
  const { tagName } = await loadLatest(visit.ctx, visit.view)
  return { leadsTo: pathTo(visit, 'releases', 'tag', tagName) }
}

async function renderAll(visit: Visit, releases: readonly ReleaseView[]): Promise<Html> {
  const { ctx, viewer, view } = visit
  const latest = await findLatestOf(ctx, view)
  const protection = await loadProtection(ctx, viewer, view.repo)
  const note = await loadNotes(
    visit,
    releases.map(({ release }) => release.note),
  )
  const rendered = releases.map((one) =>
    renderRelease(visit, one, {
      isLatest: one.release.id === latest?.id,
      isProtected: protection.covers(`refs/tags/${one.release.tagName}`),
      note,
    }),
  )
  return html`${await Promise.all(rendered)}`
}

function renderNone(visit: Visit): Html {
  return html`<section class="sheet empty">
<h2>There are no releases yet</h2>
<p class="mute">A release is a tag with notes, and with files for those who do not build them themselves.</p>
${mayRelease(visit) && html`<p><a class="button" href="${pathTo(visit, 'releases/new')}">Publish one</a></p>`}
</section>`
}
