import { listPullCommits } from '../../collaboration/pulls/content.ts'
import { html } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { renderCommits } from '../repository/commits.ts'
import { pageOf } from '../repository/page-number.ts'
import type { Shown, Visit } from '../repository/visit.ts'
import { inPull, renderPullFrame } from './frame.ts'

const PER_PAGE = 50

export async function showPullCommits(visit: Visit): Promise<Shown> {
  const { ctx, view, query, request } = visit
  return inPull(visit, async (shown) => {
    const page = pageOf(query, PER_PAGE)
    const { items, total } = await listPullCommits(ctx, view.repo, shown.pull, page)
    const content = html`
<section class="sheet" aria-label="Commits">${await renderCommits(visit, items)}</section>
${renderPager(ctx.config, request, page, total)}`
    return renderPullFrame(visit, shown, 'commits', content)
  })
}
