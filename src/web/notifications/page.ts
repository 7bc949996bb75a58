import { basePath } from '../../platform/config/urls.ts'
import type { Page as ListPage, PageOf } from '../../platform/db/page.ts'
import type { Reason } from '../../outbound/notifications/reason-queries.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import type {
  IssueSubject,
  RepositorySubject,
  ThreadView,
} from '../../outbound/notifications/view.ts'
import { timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { homeOf, pathTo } from '../repository/visit.ts'
import { titleText } from '../issues/title-text.ts'

export const tabs = ['unread', 'pinned', 'read'] as const
type Tab = (typeof tabs)[number]

export function readTab(text: string | undefined): Tab {
  return tabs.find((tab) => tab === text) ?? 'unread'
}

interface Shown {
  readonly status: Tab
  readonly page: ListPage
  readonly found: PageOf<ThreadView>
  /** By the id of the issue. */
  readonly reasons: ReadonlyMap<number, Reason>
}

const labels: Readonly<Record<Tab, string>> = { unread: 'Unread', pinned: 'Pinned', read: 'Read' }

export function notificationsPage(look: Look, { status, page, found, reasons }: Shown): Page {
  const { ctx, request } = look
  const path = `${basePath(ctx.config)}/notifications`
  const link = (tab: Tab) =>
    html`<a href="${path}?status=${tab}"${tab === status && html` aria-current="true"`}>${labels[tab]}</a>`
  return {
    title: 'Notifications',
    content: html`<h1>Notifications</h1>
<div class="row"><nav class="states" aria-label="Status">${tabs.map(link)}</nav>
${status === 'unread' && found.total > 0 && html`<form class="end" method="post" action="${path}/read"><input type="hidden" name="before" value="${ctx.now()}"><button class="button">${icon('check')} Mark all as read</button></form>`}</div>
${found.total === 0 ? renderNone(status) : html`<section class="sheet"><ul class="entries news-list">${found.items.map((view) => renderThread(look, view, reasons))}</ul></section>`}
${renderPager(ctx.config, request, page, found.total)}`,
  }
}

function renderNone(status: Tab): Html {
  const text = {
    unread: 'Issues and pull requests that you take part in or watch are told of here.',
    pinned: 'What you pin stays here until you are done with it.',
    read: 'What you have read is kept here.',
  }[status]
  return html`<section class="sheet empty"><h2>There is nothing ${labels[status].toLowerCase()}</h2><p class="mute">${text}</p></section>`
}

const reasonTexts: Readonly<Record<Reason, string>> = {
  review: 'your review is asked for',
  team: 'a review by your team is asked for',
  assigned: 'you are assigned',
  mentioned: 'you are mentioned',
  author: 'you wrote it',
  participant: 'you take part',
  subscribed: 'you subscribed',
  watching: 'you watch the repository',
}

function renderThread(look: Look, view: ThreadView, reasons: Shown['reasons']): Html {
  const { about } = view
  if ('news' in about) return renderRepositoryThread(look, view, about)
  return renderIssueThread(look, view, about, reasons.get(about.issue.id))
}

const repositoryTexts: Readonly<Record<RepositorySubject['news'], string>> = {
  offer: 'It is offered to you, or to an organization of yours: accept or decline it.',
  fork: 'This fork is private now, since the repository that it was forked from is.',
}

function renderRepositoryThread(look: Look, view: ThreadView, { news }: RepositorySubject): Html {
  const { ctx } = look
  const { owner, repo } = view.repository
  const home = homeOf(ctx, view.repository)
  const path = news === 'offer' ? `${home}/transfer` : home
  return html`<li><span class="mark-open">${icon(news === 'offer' ? 'up' : 'lock')}</span>
<div class="about"><b><a href="${path}">${owner.name}/${repo.name}</a></b>
<p class="mute">${repositoryTexts[news]} · ${timeAgo(ctx.now(), view.thread.updatedAt)}</p></div>
<span class="end">${renderMarks(look, view, `${owner.name}/${repo.name}`)}</span></li>`
}

function renderIssueThread(
  look: Look,
  view: ThreadView,
  { issue, isMerged, lastCommentId }: IssueSubject,
  reason: Reason | undefined,
): Html {
  const { ctx } = look
  const { thread, repository } = view
  const home = homeOf(ctx, repository)
  const name = `${repository.owner.name}/${repository.repo.name}`
  const state = isMerged ? 'Merged' : issue.isClosed ? 'Closed' : 'Open'
  return html`<li><span class="mark-${issue.isClosed ? 'closed' : 'open'}" title="${state}">${icon(issue.isPull ? 'branch' : issue.isClosed ? 'check' : 'issue')}<span class="unseen">${state}</span></span>
<div class="about"><b><a href="${pathOf(home, issue, lastCommentId)}">${titleText(issue.title)}</a></b>
<p class="mute"><a href="${home}">${name}</a> #${issue.number} · ${timeAgo(ctx.now(), thread.updatedAt)}${reason && html` · ${reasonTexts[reason]}`}</p></div>
<span class="end">${renderMarks(look, view, issue.title)}</span></li>`
}

/** What was said last, where something was. */
function pathOf(home: string, issue: Issue, lastCommentId: number | undefined): string {
  const path = pathTo({ home }, issue.isPull ? 'pulls' : 'issues', String(issue.number))
  return lastCommentId === undefined ? path : `${path}#issuecomment-${lastCommentId}`
}

const marks: Readonly<Record<Tab, string>> = {
  unread: 'Mark as unread',
  pinned: 'Pin',
  read: 'Mark as read',
}

function renderMarks({ ctx, request }: Look, { thread }: ThreadView, title: string): Part {
  const root = basePath(ctx.config)
  const pictures = { unread: 'bell', pinned: 'pin', read: 'check' } as const
  const button = (status: Tab) =>
    html`<button class="button" name="status" value="${status}" aria-label="${marks[status]}: ${title}" title="${marks[status]}">${icon(pictures[status])}</button>`
  return html`<form method="post" action="${root}/notifications/${thread.id}/status"><input type="hidden" name="redirect_to" value="${root + request.url}">${tabs.filter((tab) => tab !== thread.status).map(button)}</form>`
}
