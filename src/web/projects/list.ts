import { placeOf } from '../../projects/boards.ts'
import type { Project } from '../../projects/project.ts'
import { listProjects } from '../../projects/projects.ts'
import { viewProjects, type ProjectView } from '../../projects/view.ts'
import { timeAgo } from '../figures.ts'
import { html, type Html } from '../html.ts'
import { renderPager } from '../pages/pager.ts'
import { pageOf } from '../repository/page-number.ts'
import { pathTo, type Show, type Visit } from '../repository/visit.ts'
import { assertReadsProjects, mayArrange } from './rights.ts'

const PER_PAGE = 30

export const showProjects: Show = async (visit) => {
  assertReadsProjects(visit)
  const { ctx, viewer, view, query, request } = visit
  const page = pageOf(query, PER_PAGE)
  const state = query.text('state') === 'closed' ? 'closed' : 'open'
  const found = await listProjects(ctx, placeOf(view), state, page)
  const link = (value: string, label: string) =>
    html`<a href="${pathTo(visit, 'projects')}?state=${value}"${value === state && html` aria-current="true"`}>${label}</a>`
  return {
    tab: 'projects',
    title: 'Projects',
    content: html`
<div class="row"><nav class="states" aria-label="State">${link('open', 'Open')}${link('closed', 'Closed')}</nav>
${mayArrange(visit) && html`<a class="button main end" href="${pathTo(visit, 'projects/new')}" data-keys="n" data-keys-label="New project">New project</a>`}</div>
${
  found.total === 0
    ? html`<section class="sheet empty"><h2>There is no ${state} project</h2><p class="mute">A project is a board: its columns show how far issues and pull requests are.</p></section>`
    : html`<section class="sheet"><ul class="entries">${(await viewProjects(ctx.db, { config: ctx.config, caller: viewer }, found.items)).map((one) => renderItem(visit, one))}</ul></section>`
}
${renderPager(ctx.config, request, page, found.total)}`,
  }
}

function renderItem(visit: Visit, { project, tally }: ProjectView): Html {
  const all = tally.open + tally.closed
  const text = `${tally.closed} of ${all} closed`
  return html`<li><div class="about milestone"><b><a href="${pathTo(visit, 'projects', String(project.id))}">${project.title}</a></b>
<progress value="${tally.closed}" max="${Math.max(all, 1)}" aria-label="${text}"></progress>
<p class="mute">${text} · ${renderAge(visit, project)}</p></div></li>`
}

function renderAge({ ctx }: Visit, { isClosed, closedAt, updatedAt }: Project): Html {
  if (isClosed) return html`closed ${timeAgo(ctx.now(), closedAt)}`
  return html`changed ${timeAgo(ctx.now(), updatedAt)}`
}
