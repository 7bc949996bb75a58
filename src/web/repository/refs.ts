import { listBranches } from '../../code/branches/list.ts'
import { listTags } from '../../code/tags/tags.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { loadProtection } from '../../code/protection/enforce.ts'
import { timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { renderPager } from '../pages/pager.ts'
import { renderNewsLinks } from '../syndication/links.ts'
import { commitTime, idLink, subjectLink } from './commit-line.ts'
import { newPullPath } from './offered-branch.ts'
import { pageOf } from './page-number.ts'
import {
  mayChangeRefs,
  renderBranchForms,
  renderDelete,
  renderNewBranch,
  renderRefProblem,
  type RefProblem,
} from './ref-forms.ts'
import type { InShell } from './shell.ts'
import { assertReadsCode, archivePath, codePath, isHome, type NamedRef } from './source.ts'
import { pathTo, type Visit } from './visit.ts'

const PER_PAGE = 50

export async function showBranches(visit: Visit, problem?: RefProblem): Promise<InShell> {
  const { ctx, view, query } = visit
  assertReadsCode(visit)
  const page = pageOf(query, PER_PAGE)
  const text = query.text('q') ?? ''
  const found = view.repo.isEmpty
    ? { items: [], total: 0 }
    : await listBranches(ctx, view.repo, text, { ...page, first: view.repo.defaultBranch })
  const protection = await loadProtection(ctx, visit.viewer, view.repo)
  const items = found.items.map(({ name, commit }) =>
    renderBranch(visit, name, commit, {
      isProtected: protection.ruleOf(name) !== undefined,
      forms: renderBranchForms(visit, protection, name, problem),
    }),
  )
  return {
    tab: 'code',
    title: 'Branches',
    content: html`${renderSwitch(visit, 'branches')}
${renderRefProblem(problem)}
${renderNewBranch(visit, problem)}
<form class="row" role="search" aria-label="This list"><input type="search" name="q" value="${text}" placeholder="Find a branch" aria-label="Find a branch"></form>
${renderList(items, 'There are no branches here.')}
${renderPager(ctx.config, visit.request, page, found.total)}`,
  }
}

export async function showTags(visit: Visit, problem?: RefProblem): Promise<InShell> {
  const { ctx, view, query } = visit
  assertReadsCode(visit)
  const page = pageOf(query, PER_PAGE)
  const found = view.repo.isEmpty ? { items: [], total: 0 } : await listTags(ctx, view.repo, page)
  const protection = await loadProtection(ctx, visit.viewer, view.repo)
  const items = found.items.map(({ name, commit, at }) =>
    renderTag(visit, name, commit, {
      at: at.at,
      isProtected: protection.covers(`refs/tags/${name}`),
      forms:
        mayChangeRefs(visit) &&
        protection.canChangeTag(name) &&
        renderDelete(visit, 'tags/delete', name, problem),
    }),
  )
  return {
    tab: 'code',
    title: 'Tags',
    newsOf: pathTo(visit, 'tags'),
    content: html`${renderSwitch(visit, 'tags')}
${renderRefProblem(problem)}
${renderList(items, 'There are no tags here. A tag names a commit for good: git tag v1.0 && git push --tags')}
${renderPager(ctx.config, visit.request, page, found.total)}
${found.total > 0 && renderNewsLinks(pathTo(visit, 'tags'))}`,
  }
}

function renderSwitch(visit: Visit, current: 'branches' | 'tags'): Html {
  const link = (name: 'branches' | 'tags', label: string) =>
    html`<a href="${pathTo(visit, name)}"${current === name && html` aria-current="page"`}>${label}</a>`
  return html`<nav class="switch" aria-label="Refs">${link('branches', 'Branches')} ${link('tags', 'Tags')}</nav>`
}

function renderList(items: readonly Html[], otherwise: string): Html {
  if (items.length === 0) return html`<p class="sheet blank">${otherwise}</p>`
  return html`<section class="sheet"><ul class="entries">${items}</ul></section>`
}

interface BranchParts {
  readonly isProtected: boolean
  readonly forms: Part
}

function renderBranch(
  visit: Visit,
  name: string,
  commit: Commit,
  { isProtected, forms }: BranchParts,
): Html {
  const ref = { kind: 'branch', name } as const
  return html`<li>
${icon('branch')}
<div class="about"><b><a href="${codePath(visit, 'src', ref)}">${name}</a></b> ${isHome(visit, ref) && html`<span class="tag">Default</span>`} ${isProtected && html`<span class="tag">Protected</span>`}
<p class="mute">${subjectLink(visit, commit)} · ${commitTime(visit, commit)}</p>${forms}</div>
<span class="end">${!isHome(visit, ref) && compareLink(visit, name)} ${newPullLink(visit, name)} ${idLink(visit, commit.id)} ${archives(visit, ref)}</span>
</li>`
}

function compareLink(visit: Visit, name: string): Html {
  const path = pathTo(visit, 'compare', `${visit.view.repo.defaultBranch}...${name}`)
  return html`<a href="${path}">Compare</a>`
}

function newPullLink(visit: Visit, name: string): Part {
  const path = visit.view.repo.isArchived ? undefined : newPullPath(visit, name)
  return path !== undefined && html`<a href="${path}">New pull request</a>`
}

interface TagParts {
  readonly at: number
  readonly isProtected: boolean
  readonly forms: Part
}

function renderTag(
  visit: Visit,
  name: string,
  commit: Commit,
  { at, isProtected, forms }: TagParts,
): Html {
  const ref = { kind: 'tag', name } as const
  return html`<li>
${icon('tag')}
<div class="about"><b><a href="${codePath(visit, 'src', ref)}">${name}</a></b> ${isProtected && html`<span class="tag">Protected</span>`}
<p class="mute">${subjectLink(visit, commit)} · ${timeAgo(visit.ctx.now(), at)}</p>${forms && html`<div class="ref-forms">${forms}</div>`}</div>
<span class="end">${idLink(visit, commit.id)} ${archives(visit, ref)}</span>
</li>`
}

function archives(visit: Visit, ref: NamedRef): Part {
  return html`<a href="${archivePath(visit, ref, 'zip')}">${icon('download')} ZIP</a> <a href="${archivePath(visit, ref, 'tar.gz')}">${icon('download')} TAR.GZ</a>`
}
