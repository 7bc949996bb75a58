import { html, type Html } from '../../platform/html.ts'
import type { FormFields } from './fields.ts'

export interface Removal {
  readonly action: string
  /** Such as "release". */
  readonly what: string
  /** What the name is called that has to be typed, and what is said of it. */
  readonly label: string
  readonly hint: string
}

/** Folded away on the page of a thing: its deletion, for which its name has to be typed. */
export function renderRemoval(fields: FormFields, { action, what, label, hint }: Removal): Html {
  return html`<details class="sheet opened-form removal"${fields.isWrong('confirm') && html` open`}><summary>Delete this ${what}</summary>
<form class="form" method="post" action="${action}">
${fields.text('confirm', label, { hint })}
<button class="button danger">Delete ${what}</button>
</form></details>`
}
