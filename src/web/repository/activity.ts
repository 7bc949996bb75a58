import { listRepositoryFeed } from '../../outbound/activity/feed.ts'
import { html } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { renderNewsLinks } from '../syndication/links.ts'
import { loadFeedReferences, renderActivity } from './activity-line.ts'
import { pageOf } from './page-number.ts'
import type { Show } from './visit.ts'

const PER_PAGE = 30

/** What happened here lately. */
export const showActivity: Show = async (visit) => {
  const { ctx, viewer, view, query } = visit
  const page = pageOf(query, PER_PAGE)
  const found = await listRepositoryFeed(ctx, viewer, view, undefined, page)
  const lines = found.items.map((activity) => ({ activity, view }))
  const refer = (await loadFeedReferences(ctx, viewer, lines))(view)
  const items = found.items.map((activity) => renderActivity({ ...visit, refer }, activity))
  return {
    tab: 'activity',
    title: 'Activity',
    content: html`${
      items.length === 0
        ? html`<p class="sheet blank">Pushes, issues and releases are told here. Nothing has happened yet.</p>`
        : html`<section class="sheet" aria-label="Activity"><ul class="entries feed">${items}</ul></section>`
    }
${renderPager(ctx.config, visit.request, page, found.total)}
${renderNewsLinks(visit.home)}`,
  }
}
