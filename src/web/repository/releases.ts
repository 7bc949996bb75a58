import { notFound } from '../../errors.ts'
import {
  findLatestOf,
  listVisibleReleases,
  loadLatest,
  loadReleaseByTag,
} from '../../releases/load.ts'
import { viewReleases, type ReleaseView } from '../../releases/view.ts'
import { readsUnit, writesUnit } from '../../repositories/load.ts'
import { html, type Html } from '../html.ts'
import { renderPager } from '../pages/pager.ts'
import { pageOf } from './page-number.ts'
import { renderRelease } from './release.ts'
import { pathTo, restOf, type Show, type Visit } from './visit.ts'

const PER_PAGE = 10

/** Newest first. */
export const showReleases: Show = async (visit) => {
  const { ctx, viewer, view, query } = visit
  assertReadsReleases(visit)
  const page = pageOf(query, PER_PAGE)
  await ctx.downloadCounts.settle()
  const found = await listVisibleReleases(ctx, viewer, view, {}, page)
  const releases = await viewReleases(ctx.db, found.items)
  return {
    tab: 'releases',
    title: 'Releases',
    content: html`${found.total === 0 ? renderNone(visit) : await renderAll(visit, releases)}
${renderPager(ctx.config, visit.request, page, found.total)}`,
  }
}

export const showRelease: Show = async (visit) => {
  const { ctx, view } = visit
  assertReadsReleases(visit)
  const release = await loadReleaseByTag(ctx, view, restOf(visit))
  await ctx.downloadCounts.settle()
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

function assertReadsReleases({ view }: Visit): void {
  if (!readsUnit(view, 'repo.releases')) throw notFound()
}

async function renderAll(visit: Visit, releases: readonly ReleaseView[]): Promise<Html> {
  const latest = await findLatestOf(visit.ctx, visit.view)
  const rendered = releases.map((one) =>
    renderRelease(visit, one, { isLatest: one.release.id === latest?.id }),
  )
  return html`${await Promise.all(rendered)}`
}

function renderNone({ view }: Visit): Html {
  const canPublish = writesUnit(view, 'repo.releases') && !view.repo.isArchived
  return html`<section class="sheet empty">
<h2>There are no releases yet</h2>
<p class="mute">A release is a tag with notes, and with files for those who do not build them themselves.</p>
${canPublish && html`<p class="mute">Publish one with a client, or with <code>POST /repos/${view.owner.name}/${view.repo.name}/releases</code>.</p>`}
</section>`
}
