import type { Page, PageOf } from '../../platform/db/page.ts'
import { assigneesToChoose } from '../../repositories/collaborators/candidates.ts'
import { readPage } from '../../platform/http/paging.ts'
import type { Query } from '../../platform/http/query.ts'
import { wantedIn, listMatching } from '../../collaboration/issues/list.ts'
import type { IssueQuestion } from '../../collaboration/issues/question.ts'
import { pinnedIn } from '../../collaboration/issues/pins.ts'
import type { IssueOrder } from '../../collaboration/issues/queries.ts'
import { viewIssues, type IssueView } from '../../collaboration/issues/view.ts'
import type { Label } from '../../repositories/labels/label.ts'
import { labelsToChoose } from '../../repositories/labels/labels.ts'
import type { Milestone } from '../../collaboration/milestones/milestone.ts'
import { milestonesToChoose } from '../../collaboration/milestones/milestones.ts'
import type { Account } from '../../identity/users/account.ts'
import { findPeopleByName } from '../../identity/users/load.ts'
import { countText } from '../figures.ts'
import { renderChoices } from '../forms/fields.ts'
import { renderMoves } from '../forms/moves.ts'
import { renderSaved } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { pathTo, type Shown, type Visit } from '../repository/visit.ts'
import { renderTrackerSwitch } from '../tracker/switch.ts'
import { administers } from './attention.ts'
import { renderItem } from './item.ts'
import { formPath, issuePath } from './paths.ts'

/** What the list is narrowed to, as its address says. */
interface Asked {
  readonly state: 'open' | 'closed' | 'all'
  readonly text: string
  readonly label: string
  readonly milestone: string
  /** Names of people. */
  readonly author: string
  readonly assignee: string
  readonly order: IssueOrder
}

interface Listed extends Asked {
  readonly kind: Kind
  readonly found: PageOf<IssueView>
  readonly pinned: readonly IssueView[]
  readonly page: Page
  readonly labels: readonly Label[]
  readonly milestones: readonly Milestone[]
  readonly people: readonly Pick<Account, 'name'>[]
}

/** What issues and pull requests have not in common. */
export interface Kind {
  readonly tab: 'issues' | 'pulls'
  readonly title: string
  /** In words, of one. */
  readonly name: string
  readonly purpose: string
  /** Where a new one begins. */
  readonly make: {
    readonly path: (visit: Visit) => string
    readonly label: string
    readonly invitation: string
  }
}

const issues: Kind = {
  tab: 'issues',
  title: 'Issues',
  name: 'issue',
  purpose: 'Issues are for what is broken, what is missing and what is not clear.',
  make: {
    path: (visit) => pathTo(visit, 'issues/new'),
    label: 'New issue',
    invitation: 'Write one',
  },
}

export async function showIssues(visit: Visit): Promise<Shown> {
  return showList(visit, issues)
}

export async function showList(visit: Visit, kind: Kind): Promise<Shown> {
  const { ctx, view, query } = visit
  const asked = readAsked(query)
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const listed = {
    ...asked,
    kind,
    page,
    found: await find(visit, kind, asked, page),
    pinned: isNarrowed(asked) || number > 1 ? [] : await loadPinned(visit, kind),
    labels: await labelsToChoose(ctx, view),
    milestones: await milestonesToChoose(ctx, view.repo.id),
    // The API tells them to those who are signed in alone, too.
    people: visit.viewer.account ? await assigneesToChoose(ctx, view) : [],
  }
  return { tab: kind.tab, title: kind.title, content: renderList(visit, listed) }
}

/** Nothing is by somebody who is not there. */
async function find(
  { ctx, view }: Visit,
  kind: Kind,
  asked: Asked,
  page: Page,
): Promise<PageOf<IssueView>> {
  const names = [asked.author, asked.assignee].filter((name) => name !== '')
  const people = await findPeopleByName(ctx.db, names)
  if (!names.every((name) => people.has(name.toLowerCase()))) return { items: [], total: 0 }
  const wanted = await wantedIn(ctx, view, questionOf(kind, asked))
  return listMatching(ctx, wanted, { ...page, order: asked.order })
}

/** What stands above the whole list, where one looks first. */
async function loadPinned({ ctx, view }: Visit, { tab }: Kind): Promise<readonly IssueView[]> {
  return viewIssues(ctx.db, await pinnedIn(ctx, view, { isPull: tab === 'pulls' }))
}

function isNarrowed({ state, text, label, milestone, author, assignee }: Asked): boolean {
  return (
    state !== 'open' || [text, label, milestone, author, assignee].some((value) => value !== '')
  )
}

const orders: Readonly<Record<IssueOrder, string>> = {
  newest: 'Newest',
  oldest: 'Oldest',
  updated: 'Recently updated',
  comments: 'Most comments',
}

const orderChoices = Object.entries(orders).map(([value, label]) => ({ value, label }))

function isOrder(text: string): text is IssueOrder {
  return Object.hasOwn(orders, text)
}

function readAsked(query: Query): Asked {
  const text = (key: string) => (query.text(key) ?? '').trim()
  const order = text('sort')
  return {
    state: query.state(),
    text: text('q'),
    label: query.text('labels') ?? '',
    milestone: query.text('milestone') ?? '',
    author: text('author'),
    assignee: text('assignee'),
    order: isOrder(order) ? order : 'newest',
  }
}

function questionOf({ tab }: Kind, asked: Asked): IssueQuestion {
  const { state, text, label, milestone, author, assignee } = asked
  return {
    kinds: { issues: tab === 'issues', pulls: tab === 'pulls' },
    state,
    keyword: text,
    labels: given(label),
    milestones: given(milestone),
    createdBy: author,
    assignedTo: assignee,
  }
}

function given(name: string): readonly string[] {
  return name === '' ? [] : [name]
}

function renderList(visit: Visit, listed: Listed): Html {
  const { ctx, view, request } = visit
  const { kind, found, pinned, page } = listed
  const { path, label } = kind.make
  return html`
${renderSaved(visit.query)}
${renderTrackerSwitch(visit, kind.tab)}
<div class="row">
${renderStates(visit, listed)}
${!view.repo.isArchived && html`<a class="button main end" href="${path(visit)}" data-keys="n" data-keys-label="${label}">${label}</a>`}
</div>
${renderFilter(visit, listed)}
${pinned.length > 0 && html`<section class="pinned" aria-label="Pinned"><p class="mute">Pinned</p><ul class="issues plain sheet">${pinned.map((item, index) => renderItem(ctx, item, { path: issuePath(visit, item.issue), more: renderPinMoves(visit, pinned, index) }))}</ul></section>`}
${found.total === 0 ? renderNothing(visit, listed) : html`<ul class="issues plain sheet">${found.items.map((item) => renderItem(ctx, item, { path: issuePath(visit, item.issue) }))}</ul>`}
${renderPager(ctx.config, request, page, found.total)}`
}

function renderStates(visit: Visit, listed: Listed): Html {
  const { kind, state, text, label, milestone, author, assignee, order, found } = listed
  const people = Object.entries({ author, assignee }).filter(([, name]) => name !== '')
  const link = (value: Asked['state'], name: string) => {
    const query = new URLSearchParams({ state: value, q: text, labels: label, milestone })
    for (const [key, person] of people) query.set(key, person)
    if (order !== 'newest') query.set('sort', order)
    const isCurrent = value === state
    return html`<a href="${pathTo(visit, kind.tab)}?${query.toString()}"${isCurrent && html` aria-current="true"`}>${name}${isCurrent && html` <span class="n">${countText(found.total)}</span>`}</a>`
  }
  return html`<nav class="states" aria-label="State">${link('open', 'Open')}${link('closed', 'Closed')}${link('all', 'All')}</nav>`
}

function renderFilter(visit: Visit, listed: Listed): Html {
  const { kind, state, text, label, milestone, author, assignee, order } = listed
  const names = listed.labels.map(({ name }) => name)
  const titles = listed.milestones.map(({ title }) => title)
  const people = listed.people.map(({ name }) => name)
  return html`
<form class="filter" role="search" aria-label="This list" action="${pathTo(visit, kind.tab)}">
<input type="hidden" name="state" value="${state}">
<input type="search" name="q" value="${text}" placeholder="Find ${articleOf(kind)} ${kind.name}" aria-label="Find ${articleOf(kind)} ${kind.name}">
<input name="author" value="${author}" placeholder="Author" aria-label="Author" size="12" autocomplete="off" autocapitalize="none" spellcheck="false">
${names.length > 0 && renderChoice('labels', 'Label', label, names)}
${titles.length > 0 && renderChoice('milestone', 'Milestone', milestone, titles)}
${(people.length > 0 || assignee !== '') && renderChoice('assignee', 'Assignee', assignee, people)}
<select name="sort" aria-label="Order">${renderChoices(orderChoices, order)}</select>
<button class="button" type="submit">Search</button>
</form>`
}

function renderChoice(
  name: string,
  label: string,
  chosen: string,
  values: readonly string[],
): Html {
  // What was asked for stays, also where it is not offered.
  const offered = chosen === '' || values.includes(chosen) ? values : [chosen, ...values]
  const option = (value: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${value}</option>`
  return html`<select name="${name}" aria-label="${label}"><option value="">Any ${label.toLowerCase()}</option>${offered.map(option)}</select>`
}

/** For those who pin, where there is an order to change. */
function renderPinMoves(visit: Visit, pinned: readonly IssueView[], index: number): Part {
  const { issue } = pinned[index] ?? {}
  if (!issue || pinned.length === 1 || !administers(visit)) return undefined
  return renderMoves({
    action: formPath(visit, issue, 'pin', 'position'),
    name: issue.title,
    position: index + 1,
    count: pinned.length,
  })
}

function renderNothing(visit: Visit, listed: Listed): Part {
  const { kind } = listed
  if (isNarrowed(listed)) {
    return html`<section class="sheet empty"><h2>No ${kind.name} fits</h2><p class="mute"><a href="${pathTo(visit, kind.tab)}">Show all that are open</a></p></section>`
  }
  return html`
<section class="sheet empty">
<h2>There is no open ${kind.name}</h2>
<p class="mute">${kind.purpose}</p>
${!visit.view.repo.isArchived && html`<p><a class="button" href="${kind.make.path(visit)}">${kind.make.invitation}</a></p>`}
</section>`
}

function articleOf({ tab }: Kind): string {
  return tab === 'issues' ? 'an' : 'a'
}
