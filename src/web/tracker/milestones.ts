import { notFound } from '../../platform/errors.ts'
import { listOfMilestone } from '../../collaboration/issues/list.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import type { Milestone } from '../../collaboration/milestones/milestone.ts'
import { listMilestones, loadMilestone } from '../../collaboration/milestones/milestones.ts'
import { formatTime } from '../../platform/time.ts'
import { counted, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { renderSpeech } from '../issues/speech.ts'
import { renderPager } from '../pages/pager.ts'
import { pageOf } from '../repository/page-number.ts'
import { pathTo, type Show, type Visit } from '../repository/visit.ts'
import { assertReadsTracker, mayPlan } from './rights.ts'
import { renderTrackerSwitch } from './switch.ts'

const PER_PAGE = 30

export const showMilestones: Show = async (visit) => {
  assertReadsTracker(visit)
  const { ctx, view, query, request } = visit
  const page = pageOf(query, PER_PAGE)
  const state = query.text('state') === 'closed' ? 'closed' : 'open'
  const found = await listMilestones(ctx, view.repo.id, { state, name: '' }, page)
  const link = (value: string, label: string) =>
    html`<a href="${pathTo(visit, 'milestones')}?state=${value}"${value === state && html` aria-current="true"`}>${label}</a>`
  return {
    tab: 'issues',
    title: 'Milestones',
    content: html`${renderTrackerSwitch(visit, 'milestones')}
<div class="row"><nav class="states" aria-label="State">${link('open', 'Open')}${link('closed', 'Closed')}</nav>
${mayPlan(visit) && html`<a class="button main end" href="${pathTo(visit, 'milestones/new')}" data-keys="n" data-keys-label="New milestone">New milestone</a>`}</div>
${
  found.total === 0
    ? html`<section class="sheet empty"><h2>There is no ${state} milestone</h2><p class="mute">A milestone gathers the issues and pull requests that have to be done by a day, or for a release.</p></section>`
    : html`<section class="sheet"><ul class="entries">${found.items.map((one) => renderItem(visit, one))}</ul></section>`
}
${renderPager(ctx.config, request, page, found.total)}`,
  }
}

function renderItem(visit: Visit, milestone: Milestone): Html {
  const path = pathTo(visit, 'milestone', String(milestone.id))
  return html`<li><div class="about milestone"><b><a href="${path}">${milestone.title}</a></b>
${renderProgress(visit, milestone)}</div></li>`
}

function renderProgress({ ctx }: Visit, milestone: Milestone): Html {
  const { openIssuesCount, closedIssuesCount, dueAt, isClosed } = milestone
  const all = openIssuesCount + closedIssuesCount
  const text = `${closedIssuesCount} of ${all} closed`
  const isLate = !isClosed && dueAt > 0 && dueAt < ctx.now()
  return html`<progress value="${closedIssuesCount}" max="${Math.max(all, 1)}" aria-label="${text}"></progress>
<p class="mute">${text}${dueAt > 0 && html` · due <time datetime="${formatTime(dueAt)}">${formatTime(dueAt).slice(0, 10)}</time>`}${isLate && html` · <span class="minus">late</span>`}${isClosed && html` · closed ${timeAgo(ctx.now(), milestone.closedAt)}`}</p>`
}

export const showMilestone: Show = async (visit) => {
  assertReadsTracker(visit)
  const { ctx, view, query, request } = visit
  const milestone = await loadById(visit)
  const page = pageOf(query, PER_PAGE)
  const found = await listOfMilestone(ctx, view, milestone.id, page)
  const description = await renderSpeech(visit, milestone.description)
  return {
    tab: 'issues',
    title: milestone.title,
    content: html`${renderTrackerSwitch(visit, 'milestones')}
<div class="title"><h2>${milestone.title}</h2>
<span class="end">${mayPlan(visit) && html`<a class="button" href="${pathTo(visit, 'milestones', String(milestone.id), 'edit')}">${icon('pencil')} Edit</a>`}</span></div>
<div class="milestone">${renderProgress(visit, milestone)}</div>
${milestone.description !== '' && html`<div class="prose">${description}</div>`}
<h3>${counted(found.total, 'issue or pull request', 'issues and pull requests')}</h3>
${renderPlanned(visit, found.items)}
${renderPager(ctx.config, request, page, found.total)}`,
  }
}

function renderPlanned(visit: Visit, items: readonly IssueView[]): Part {
  if (items.length === 0) {
    return html`<p class="sheet blank">Nothing is planned for it yet. On the page of an issue it is given its milestone.</p>`
  }
  const item = ({ issue }: IssueView) => {
    const { isPull, isClosed, number, title } = issue
    const path = pathTo(visit, isPull ? 'pulls' : 'issues', String(number))
    const state = isClosed ? 'Closed' : 'Open'
    return html`<li><span class="mark-${state.toLowerCase()}" title="${state}">${icon(isPull ? 'branch' : isClosed ? 'check' : 'issue')}<span class="unseen">${state}</span></span>
<div class="about"><b><a href="${path}">${title}</a></b> <span class="mute">#${number}</span></div></li>`
  }
  return html`<section class="sheet"><ul class="entries">${items.map(item)}</ul></section>`
}

/** By its number: a title is no address. */
export async function loadById({ ctx, view, param }: Visit): Promise<Milestone> {
  const milestone = await loadMilestone(ctx, view.repo.id, param('id'))
  if (String(milestone.id) !== param('id')) throw notFound()
  return milestone
}
