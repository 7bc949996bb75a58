import { reaches } from '../../platform/access-level.ts'
import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { hasAnyAccess } from '../../repositories/repository/access.ts'
import { readsPulls } from '../../collaboration/pulls/load.ts'
import { readsProjects } from '../../collaboration/projects/projects.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { repositoryPicture } from '../avatar.ts'
import { countText, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon, type IconName } from '../icons.ts'
import type { Page } from '../layout.ts'
import type { Frame } from '../missing.ts'
import { outsideLink, siteUrl } from '../outside-link.ts'
import { renderAudience } from './audience.ts'
import { renderOffer } from './offer.ts'
import type { Visit } from './visit.ts'

type Tab = 'code' | 'issues' | 'pulls' | 'projects' | 'releases' | 'wiki' | 'activity' | 'settings'

interface TabLink {
  readonly tab: Tab
  readonly label: string
  readonly icon: IconName
  readonly href: string
  readonly count?: number
  /** Where the first letter of the label is taken. */
  readonly keys?: string
}

export interface InShell {
  /** Nothing where the place is none of theirs. */
  readonly tab: Tab | undefined
  readonly title: string
  readonly content: Html
  /** The path of what has news of its own. */
  readonly newsOf?: string
}

/**
 * A page of a repository: its head and its tabs, the same on each of them, and what is shown below.
 */
export function inShell(visit: Visit, { tab, title, content, newsOf }: InShell): Page {
  const { view, home } = visit
  const name = `${view.owner.name}/${view.repo.name}`
  return {
    title: title === '' ? name : `${title} · ${name}`,
    newsOf: newsOf ?? home,
    content: html`
${renderHead(visit)}
<nav class="tabs" aria-label="Repository">
${tabsOf(visit).map((link) => renderTab(link, link.tab === tab))}
</nav>
${content}`,
  }
}

/** What is said instead of a page, to those who see the repository. */
export function toldIn(visit: Visit): Frame {
  return ({ title, heading, text }) =>
    inShell(visit, {
      tab: undefined,
      title,
      content: html`
<h2>${heading}</h2>
<p class="lede">${text}</p>
<p><a class="button" href="${visit.home}">To the repository</a></p>`,
    })
}

function renderHead(visit: Visit): Html {
  const { ctx, view, home } = visit
  const { repo, owner } = view
  const ownerPath = `${basePath(ctx.config)}/${encodeSegment(owner.name)}`
  return html`
<div class="title">
${repositoryPicture(ctx.config, repo, 32)}
<h1><a href="${ownerPath}">${owner.name}</a> <span>/</span> <a href="${home}">${repo.name}</a></h1>
${tagsOf(view).map((tag) => html`<span class="tag">${tag}</span>`)}
</div>
${renderOrigin(visit)}
${renderLede(view)}
<div class="row">
${view.topics.map((topic) => renderTopic(visit, topic))}
${renderAudience(visit)}
</div>
${repo.isArchived && html`<p class="sheet notice" role="status">This repository was archived ${timeAgo(ctx.now(), repo.archivedAt)}. It can be read, and not changed.</p>`}
${visit.offered && html`<section class="sheet notice">${renderOffer(ctx, view, home, visit.offered)}</section>`}`
}

function tagsOf({ repo, owner }: RepositoryView): readonly string[] {
  const seenBy = owner.visibility === 'private' ? 'Internal' : 'Public'
  return [
    repo.isPrivate ? 'Private' : seenBy,
    ...(repo.isArchived ? ['Archived'] : []),
    ...(repo.isTemplate ? ['Template'] : []),
    ...(repo.isMirror ? ['Mirror'] : []),
    ...(repo.isFork ? ['Fork'] : []),
  ]
}

/** Where it comes from, as far as the viewer may know. */
function renderOrigin({ ctx, view: { repo, parent } }: Visit): Part {
  if (parent && hasAnyAccess(parent.access, parent.units)) {
    const name = `${parent.owner.name}/${parent.repo.name}`
    const path = `${basePath(ctx.config)}/${encodeSegment(parent.owner.name)}/${encodeSegment(parent.repo.name)}`
    return html`<p class="origin mute">forked from <a href="${path}">${name}</a></p>`
  }
  if (!repo.isMirror || repo.originalUrl === '') return undefined
  return html`<p class="origin mute">mirror of ${outsideLink(repo.originalUrl)}</p>`
}

function renderLede({ repo: { description, website } }: RepositoryView): Part {
  if (description === '' && website === '') return undefined
  return html`<p class="lede">${description} ${website !== '' && outsideLink(website)}</p>`
}

function renderTopic({ ctx }: Visit, topic: string): Html {
  const path = `${basePath(ctx.config)}/explore/repos?q=${encodeURIComponent(topic)}&topic=1`
  return html`<a class="tag topic" href="${path}">${topic}</a>`
}

/** Of the units that are on and that the viewer may read. */
function tabsOf({ view, home }: Visit): readonly TabLink[] {
  const { repo } = view
  const activity = {
    tab: 'activity',
    label: 'Activity',
    icon: 'pulse',
    href: `${home}/activity`,
  } as const
  return [
    ...(readsUnit(view, 'repo.code')
      ? [{ tab: 'code', label: 'Code', icon: 'code', href: home } as const]
      : []),
    ...issuesTab(view, home),
    ...pullsTab(view, home),
    ...(readsProjects(view)
      ? [
          {
            tab: 'projects',
            label: 'Projects',
            icon: 'board',
            href: `${home}/projects`,
            keys: 'g b',
          } as const,
        ]
      : []),
    ...(readsUnit(view, 'repo.releases')
      ? [
          {
            tab: 'releases',
            label: 'Releases',
            icon: 'tag',
            href: `${home}/releases`,
            count: repo.releasesCount,
          } as const,
        ]
      : []),
    ...wikiTab(view, home),
    activity,
    ...(reaches(view.access.level, 'admin')
      ? [
          {
            tab: 'settings',
            label: 'Settings',
            icon: 'settings',
            href: `${home}/settings`,
          } as const,
        ]
      : []),
  ]
}

/** Where issues are kept elsewhere, the tab leads there. */
function issuesTab(view: RepositoryView, home: string): readonly TabLink[] {
  const common = { tab: 'issues', label: 'Issues', icon: 'issue' } as const
  if (readsUnit(view, 'repo.issues')) {
    return [{ ...common, href: `${home}/issues`, count: view.repo.openIssuesCount }]
  }
  if (!readsUnit(view, 'repo.ext_issues')) return []
  const elsewhere = siteUrl(view.units.settings('repo.ext_issues')?.url ?? '')
  return elsewhere ? [{ ...common, href: elsewhere.href }] : []
}

function pullsTab(view: RepositoryView, home: string): readonly TabLink[] {
  if (!readsPulls(view)) return []
  const href = `${home}/pulls`
  const count = view.repo.openPullsCount
  return [{ tab: 'pulls', label: 'Pull requests', icon: 'pull', href, count, keys: 'g m' }]
}

/** Where the wiki is kept elsewhere, the tab leads there. */
function wikiTab(view: RepositoryView, home: string): readonly TabLink[] {
  const common = { tab: 'wiki', label: 'Wiki', icon: 'book' } as const
  if (readsUnit(view, 'repo.wiki')) return [{ ...common, href: `${home}/wiki` }]
  if (!readsUnit(view, 'repo.ext_wiki')) return []
  const elsewhere = siteUrl(view.units.settings('repo.ext_wiki')?.url ?? '')
  return elsewhere ? [{ ...common, href: elsewhere.href }] : []
}

function renderTab(link: TabLink, isCurrent: boolean): Html {
  const { label, icon: name, href, count = 0 } = link
  const keys = link.keys ?? `g ${label.charAt(0).toLowerCase()}`
  return html`<a href="${href}"${isCurrent && html` aria-current="page"`} data-keys="${keys}" data-keys-label="${label}">${icon(name)} ${label}${count > 0 && html` <span class="n">${countText(count)}</span>`}${isCurrent && html`<current-tab></current-tab>`}</a>`
}
