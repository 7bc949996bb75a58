import { assigneesToChoose } from '../../repositories/collaborators/candidates.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { writesIssue } from '../../collaboration/issues/rights.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import { labelsToChoose } from '../../repositories/labels/labels.ts'
import type { Milestone } from '../../collaboration/milestones/milestone.ts'
import { milestonesToChoose } from '../../collaboration/milestones/milestones.ts'
import { formatTime } from '../../platform/time.ts'
import type { Account } from '../../identity/users/account.ts'
import { avatar } from '../avatar.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { once } from '../once.ts'
import { personLink } from '../person.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderAttention } from './attention.ts'
import { renderDependencies } from './dependencies.ts'
import { markWrong, renderFact, renderFactForm } from './fact.ts'
import { renderLabel } from './label.ts'
import { formPath } from './paths.ts'
import type { Rejected } from './rejected.ts'
import { renderProjectsFact } from './projects-fact.ts'
import { renderEstimate, renderTimes } from './times.ts'

const day = once(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }))

const none = html`<p class="mute">None</p>`

/** What is known of an issue besides what was said; who writes issues changes it here. */
export async function renderIssueFacts(
  visit: Visit,
  shown: IssueView,
  rejected?: Rejected<string>,
  more?: Part,
): Promise<Html> {
  const { issue } = shown
  const isOpen = !visit.view.repo.isArchived && writesIssue(visit.view, issue)
  const change = async (choose: () => Promise<Part>) => (isOpen ? choose() : undefined)
  return html`
<aside class="facts-aside">
${more}
${renderFact('Labels', renderLabels(shown), await change(() => chooseLabels(visit, shown)))}
${renderFact('Assignees', renderPeople(visit, shown.assignees), await change(() => chooseAssignees(visit, shown, rejected)))}
${renderFact('Milestone', renderMilestone(visit, shown), await change(() => chooseMilestone(visit, shown)))}
${await renderProjectsFact(visit, issue, isOpen)}
${(issue.dueAt > 0 || isOpen) && renderFact('Due', renderDue(issue), isOpen && chooseDay(visit, issue, rejected))}
${await renderDependencies(visit, issue, rejected)}
${renderEstimate(visit, issue, rejected)}
${await renderTimes(visit, issue, rejected)}
${await renderAttention(visit, issue, rejected)}
</aside>`
}

function renderLabels({ labels }: IssueView): Html {
  return labels.length === 0 ? none : html`<p class="labels">${labels.map(renderLabel)}</p>`
}

/** Of archived labels those that the issue has: nobody gives it another. */
async function chooseLabels(visit: Visit, { issue, labels }: IssueView): Promise<Html> {
  const has = new Set(labels.map(({ id }) => id))
  const offered = await labelsToChoose(visit.ctx, visit.view)
  const others = offered.filter(({ id, isArchived }) => !has.has(id) && !isArchived)
  const option = (label: (typeof labels)[number]) =>
    html`<label class="option"><input type="checkbox" name="label" value="${label.id}"${has.has(label.id) && html` checked`}> ${renderLabel(label)}</label>`
  const all = [...labels, ...others]
  const fields =
    all.length === 0 ? html`<p class="mute">This repository has no labels.</p>` : all.map(option)
  return renderFactForm({ action: formPath(visit, issue, 'labels'), what: 'labels', fields })
}

function renderPeople({ ctx: { config } }: Visit, people: readonly Account[]): Part {
  if (people.length === 0) return none
  return people.map((one) => html`<p>${avatar(config, one, 22)} ${personLink(config, one)}</p>`)
}

/** Those who work here are offered; in a public repository anybody else can be named. */
async function chooseAssignees(
  visit: Visit,
  { issue, assignees }: IssueView,
  rejected?: Rejected<string>,
): Promise<Html> {
  const before = rejected?.form === 'assignees' ? rejected : undefined
  const offered = await assigneesToChoose(visit.ctx, visit.view)
  const others = offered.filter(({ id }) => assignees.every((one) => one.id !== id))
  const option = ({ name }: Pick<Account, 'name'>, isChosen: boolean) =>
    html`<label class="option"><input type="checkbox" name="assignee" value="${name}"${isChosen && html` checked`}> ${name}</label>`
  return renderFactForm({
    action: formPath(visit, issue, 'assignees'),
    what: 'assignees',
    before,
    fields: html`${assignees.map((one) => option(one, true))}${others.map((one) => option(one, false))}
<label class="option">Somebody else <input name="other" autocomplete="off" autocapitalize="none" spellcheck="false" value="${before?.text}"${markWrong(before)}></label>`,
  })
}

function renderMilestone(visit: Visit, { issue, milestone }: IssueView): Html {
  if (!milestone) return none
  const { title, openIssuesCount, closedIssuesCount } = milestone
  const all = openIssuesCount + closedIssuesCount
  const text = `${closedIssuesCount} of ${all} closed`
  const list = pathTo(visit, issue.isPull ? 'pulls' : 'issues')
  return html`
<p><a href="${list}?milestone=${encodeURIComponent(title)}">${title}</a></p>
<progress value="${closedIssuesCount}" max="${Math.max(all, 1)}" aria-label="${text}"></progress>
<p class="mute">${text}</p>`
}

async function chooseMilestone(visit: Visit, { issue, milestone }: IssueView): Promise<Html> {
  const offered = await milestonesToChoose(visit.ctx, visit.view.repo.id)
  const others = offered.filter(({ id }) => id !== milestone?.id)
  const option = ({ id, title }: Milestone) =>
    html`<option value="${id}"${id === milestone?.id && html` selected`}>${title}</option>`
  const fields = html`<select name="milestone" aria-label="Milestone"><option value="0">None</option>${[...(milestone ? [milestone] : []), ...others].map(option)}</select>`
  return renderFactForm({ action: formPath(visit, issue, 'milestone'), what: 'milestone', fields })
}

function renderDue({ dueAt }: Issue): Html {
  if (dueAt === 0) return none
  return html`<p><time datetime="${formatTime(dueAt)}">${day().format(dueAt * 1000)}</time></p>`
}

function chooseDay(visit: Visit, issue: Issue, rejected?: Rejected<string>): Html {
  const before = rejected?.form === 'due' ? rejected : undefined
  const value = before?.text ?? (issue.dueAt > 0 ? formatTime(issue.dueAt).slice(0, 10) : '')
  const fields = html`<input type="date" name="due" aria-label="Due date" value="${value}"${markWrong(before)}><span class="hint">Empty for none.</span>`
  return renderFactForm({ action: formPath(visit, issue, 'due'), what: 'due date', fields, before })
}
