import type { Project } from '../../collaboration/projects/project.ts'
import { listProjects } from '../../collaboration/projects/projects.ts'
import { viewProjects, type ProjectView } from '../../collaboration/projects/view.ts'
import { timeAgo } from '../figures.ts'
import { html, type Html } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { pageOf } from '../repository/page-number.ts'
import { boardPath, type BoardsLook, type BoardsPage } from './look.ts'

const PER_PAGE = 30

export async function showProjects(look: BoardsLook): Promise<BoardsPage> {
  const { ctx, viewer, boards, path, query, request } = look
  const page = pageOf(query, PER_PAGE)
  const state = query.text('state') === 'closed' ? 'closed' : 'open'
  const found = await listProjects(ctx, boards.place, state, page)
  const link = (value: string, label: string) =>
    html`<a href="${path}?state=${value}"${value === state && html` aria-current="true"`}>${label}</a>`
  return {
    title: 'Projects',
    content: html`
<div class="row"><nav class="states" aria-label="State">${link('open', 'Open')}${link('closed', 'Closed')}</nav>
${look.mayArrange && html`<a class="button main end" href="${path}/new" data-keys="n" data-keys-label="New project">New project</a>`}</div>
${
  found.total === 0
    ? html`<section class="sheet empty"><h2>There is no ${state} project</h2><p class="mute">A project is a board: its columns show how far issues and pull requests are.</p></section>`
    : html`<section class="sheet"><ul class="entries">${(await viewProjects(ctx.db, { config: ctx.config, caller: viewer }, found.items)).map((one) => renderItem(look, one))}</ul></section>`
}
${renderPager(ctx.config, request, page, found.total)}
${look.besides}`,
  }
}

function renderItem(look: BoardsLook, { project, tally }: ProjectView): Html {
  const all = tally.open + tally.closed
  const text = `${tally.closed} of ${all} closed`
  return html`<li><div class="about milestone"><b><a href="${boardPath(look, project)}">${project.title}</a></b>
<progress value="${tally.closed}" max="${Math.max(all, 1)}" aria-label="${text}"></progress>
<p class="mute">${text} · ${renderAge(look, project)}</p></div></li>`
}

function renderAge({ ctx }: BoardsLook, { isClosed, closedAt, updatedAt }: Project): Html {
  if (isClosed) return html`closed ${timeAgo(ctx.now(), closedAt)}`
  return html`changed ${timeAgo(ctx.now(), updatedAt)}`
}
