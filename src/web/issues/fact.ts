import type { Issue } from '../../collaboration/issues/issue.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Visit } from '../repository/visit.ts'
import { issuePath } from './paths.ts'
import type { Rejected } from './rejected.ts'

/** What is known of an issue, by the heading that it has. */
export type FactName =
  | 'Reviewers'
  | 'Labels'
  | 'Assignees'
  | 'Milestone'
  | 'Projects'
  | 'Due'
  | 'Dependencies'
  | 'Time estimate'
  | 'Time spent'
  | 'Notifications'
  | 'Conversation'
  | 'Pin'
  | 'Deletion'

/** Something that is known, and a form in which it is changed. */
export function renderFact(name: FactName, value: Part, form?: Part): Html {
  return html`<section class="fact" id="${anchorOfFact(name)}"><h2>${name}</h2>${form}${value}</section>`
}

/** Where one sees that a fact has changed: on a narrow page it is far below the title. */
export function factPath(
  visit: Pick<Visit, 'home'>,
  issue: Pick<Issue, 'number' | 'isPull'>,
  name: FactName,
): string {
  return `${issuePath(visit, issue)}#${anchorOfFact(name)}`
}

function anchorOfFact(name: FactName): string {
  return `fact-${name.toLowerCase().replaceAll(' ', '-')}`
}

const PROBLEM = 'fact-problem'

/** For what the problem is with: it is seen first. */
export function markWrong(before: Rejected<string> | undefined): Part {
  return before && html` aria-invalid="true" aria-describedby="${PROBLEM}" autofocus`
}

/** One form at most comes back. */
export function renderFactProblem(before: Rejected<string> | undefined): Part {
  return before && html`<p class="problem" id="${PROBLEM}" role="alert">${before.problem}</p>`
}

interface FactForm {
  readonly action: string
  readonly what: string
  readonly fields: Part
  readonly button?: Part
  readonly before?: Rejected<string> | undefined
}

export function renderFactForm({ action, what, fields, button, before }: FactForm): Html {
  return html`
<details class="change"${before && html` open`}><summary>Change<span class="unseen"> ${what}</span></summary>
<form class="sheet" method="post" action="${action}">
${fields}
${renderFactProblem(before)}
${button ?? html`<button class="button">Save</button>`}
</form></details>`
}
