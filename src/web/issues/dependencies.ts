import { dependenciesSeenBy, hasDependencies } from '../../collaboration/issues/dependencies.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { writesIssue } from '../../collaboration/issues/rights.ts'
import { viewIssues, type IssueView } from '../../collaboration/issues/view.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import type { Visit } from '../repository/visit.ts'
import { markWrong, renderFact, renderFactForm } from './fact.ts'
import { formPath, pathOfOther } from './paths.ts'
import type { Rejected } from './rejected.ts'
import { stateOf } from './state.ts'
import { titleText } from './title-text.ts'

/** As many as anybody reads. */
const listed = { number: 1, limit: 100, offset: 0 }

type Direction = 'awaited' | 'waiting'

/** What an issue waits for, and what waits for it. */
export async function renderDependencies(
  visit: Visit,
  issue: Issue,
  rejected?: Rejected<string>,
): Promise<Part> {
  const { ctx, viewer, view } = visit
  if (!hasDependencies(view)) return undefined
  const load = async (direction: Direction) =>
    viewIssues(ctx.db, (await dependenciesSeenBy(ctx, viewer, issue, direction, listed)).items)
  const awaited = await load('awaited')
  const waiting = await load('waiting')
  const isOpen = !view.repo.isArchived && writesIssue(view, issue)
  const isEmpty = awaited.length + waiting.length === 0
  if (isEmpty && !isOpen) return undefined
  const list = (direction: Direction, label: string, issues: readonly IssueView[]) =>
    issues.length > 0 &&
    html`<h3>${label}</h3><ul class="plain related">${issues.map((other) => renderOther(visit, issue, other, isOpen && direction))}</ul>`
  const value = html`${isEmpty && html`<p class="mute">None</p>`}${list('awaited', 'Waits for', awaited)}${list('waiting', 'Blocks', waiting)}`
  return renderFact('Dependencies', value, isOpen && renderForm(visit, issue, rejected))
}

function renderOther(
  visit: Visit,
  issue: Issue,
  other: IssueView,
  removable: Direction | false,
): Html {
  const { mark, name, icon: picture } = stateOf(other)
  const { home } = other
  const isHere = other.issue.repositoryId === issue.repositoryId
  const number = `#${other.issue.number}`
  const full = `${home.ownerName}/${home.name}${number}`
  const remove =
    removable &&
    html`<form method="post" action="${formPath(visit, issue, 'dependencies')}"><input type="hidden" name="direction" value="${removable}"><button class="button" name="remove" value="${full}" aria-label="Remove ${full}">Remove</button></form>`
  return html`<li><span class="mark-${mark}" title="${name}">${icon(picture)}<span class="unseen">${name}</span></span> <a href="${pathOfOther(visit.ctx.config, other)}">${titleText(other.issue.title)} <span class="mute">${isHere ? number : full}</span></a>${remove}</li>`
}

function renderForm(visit: Visit, issue: Issue, rejected?: Rejected<string>): Html {
  const before = rejected?.form === 'dependency' ? rejected : undefined
  const isWaiting = before?.fields?.get('direction') === 'waiting'
  const fields = html`
<label class="option">Issue or pull request <input name="issue" required autocomplete="off" placeholder="#12" value="${before?.text}"${markWrong(before)}></label>
<span class="hint">Of another repository as owner/name#12.</span>
<label class="option">Which waits <select name="direction"><option value="awaited">This waits for it</option><option value="waiting"${isWaiting && html` selected`}>It waits for this</option></select></label>`
  return renderFactForm({
    action: formPath(visit, issue, 'dependencies'),
    what: 'dependencies',
    fields,
    before,
    button: html`<button class="button">Add</button>`,
  })
}
