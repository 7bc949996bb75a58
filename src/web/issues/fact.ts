import { html, type Html, type Part } from '../html.ts'
import type { Rejected } from './rejected.ts'

/** Something that is known, and a form in which it is changed. */
export function renderFact(name: string, value: Part, form: Part): Html {
  return html`<section class="fact"><h2>${name}</h2>${form}${value}</section>`
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
${before && html`<p class="problem" role="alert">${before.problem}</p>`}
${button ?? html`<button class="button">Save</button>`}
</form></details>`
}
