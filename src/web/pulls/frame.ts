import { readInteger } from '../../platform/http/query.ts'
import { loadIssue } from '../../collaboration/issues/load.ts'
import { assertReadsPulls, loadCheckedPull } from '../../collaboration/pulls/load.ts'
import { viewPull, type PullView } from '../../collaboration/pulls/view.ts'
import { hasAnyAccess } from '../../repositories/repository/access.ts'
import { countText, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderTitle } from '../issues/editing.ts'
import { issuePath } from '../issues/paths.ts'
import type { Rejected } from '../issues/rejected.ts'
import { renderState } from '../issues/state.ts'
import { markSeen } from '../notifications/seen.ts'
import { personLink } from '../person.ts'
import { mayChangeBase, renderBaseForm } from './base.ts'
import { codePath } from '../repository/source.ts'
import type { InShell } from '../repository/shell.ts'
import { homeOf, type Shown, type Visit } from '../repository/visit.ts'
import { titleOf } from '../title.ts'

export type Section = 'conversation' | 'commits' | 'files'

/** A page of a pull request; issues have a page of their own. */
export async function inPull(
  visit: Visit,
  show: (shown: PullView) => Promise<InShell>,
): Promise<Shown> {
  const { ctx, view, viewer, param } = visit
  const issue = await loadIssue(ctx, view, readInteger(param('index')))
  if (!issue.isPull) return { leadsTo: issuePath(visit, issue) }
  assertReadsPulls(view)
  await loadCheckedPull(ctx, view, issue.number)
  await markSeen(visit, issue)
  await ctx.downloadCounts.flush()
  return show(await viewPull(ctx, viewer, issue))
}

/** What the first of them shows needs no word. */
const labels = { conversation: undefined, commits: 'Commits', files: 'Files' } as const

/** What stands above each page of a pull request. */
export async function renderPullFrame(
  visit: Visit,
  shown: PullView,
  section: Section,
  content: Html,
  rejected?: Rejected<string>,
): Promise<InShell> {
  const { issue } = shown
  return {
    tab: 'pulls',
    title: titleOf(labels[section], `${issue.title} #${issue.number}`),
    content: html`
${renderTitle(visit, issue, rejected)}
${renderHead(visit, shown)}
${await renderBaseForm(visit, shown, rejected)}
${renderSections(visit, shown, section)}
${content}`,
  }
}

function renderHead(visit: Visit, shown: PullView): Html {
  const { issue, author, pull } = shown
  const { ctx } = visit
  const base = html`<a class="branch" href="${codePath(visit, 'src', { kind: 'branch', name: pull.baseBranch })}">${pull.baseBranch}</a>`
  return html`
<div class="row">${renderState(shown)}
<span class="mute">${personLink(ctx.config, author)} ${pull.isMerged ? 'had' : 'wants to have'} ${renderHeadBranch(visit, shown)} in ${base}${mayChangeBase(visit, shown) && html` <a href="${issuePath(visit, issue)}?edit=base">Change<span class="unseen"> where it goes</span></a>`} · opened ${timeAgo(ctx.now(), issue.createdAt)}</span></div>`
}

/** With the owner of another repository, as far as the viewer may know it. */
function renderHeadBranch({ ctx }: Visit, { pull, head, base }: PullView): Html {
  if (!head || !hasAnyAccess(head.access, head.units)) {
    return html`<code class="branch">${pull.headBranch}</code>`
  }
  const isOwn = head.repo.id === base.repo.id
  const name = isOwn ? pull.headBranch : `${head.owner.name}:${pull.headBranch}`
  if (pull.isHeadGone) return html`<code class="branch">${name}</code>`
  const path = codePath({ home: homeOf(ctx, head) }, 'src', {
    kind: 'branch',
    name: pull.headBranch,
  })
  return html`<a class="branch" href="${path}">${name}</a>`
}

function renderSections(visit: Visit, { issue, pull, reviews }: PullView, current: Section): Html {
  const path = issuePath(visit, issue)
  const link = (section: Section, href: string, label: string, more: Part) =>
    html`<a href="${href}"${section === current && html` aria-current="page"`}>${label}${more}</a>`
  const said = issue.commentsCount + reviews.comments
  return html`
<nav class="sections" aria-label="Pull request">
${link('conversation', path, 'Conversation', said > 0 && html` <span class="n">${countText(said)}</span>`)}
${link('commits', `${path}/commits`, 'Commits', undefined)}
${link('files', `${path}/files`, 'Files', html` <span class="n">${countText(pull.changedFiles)}</span>`)}
<span class="end mute"><span class="plus">${countText(pull.additions)} added</span> and <span class="minus">${countText(pull.deletions)} removed</span> lines</span>
</nav>`
}
