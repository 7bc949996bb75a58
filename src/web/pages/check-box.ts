import { html, type Html } from '../html.ts'

export interface Check {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly isOn: boolean
  readonly isFixed?: boolean
}

/** Something to be ticked, and what that means. */
export function renderCheck({ name, label, hint, isOn, isFixed = false }: Check): Html {
  return html`
<p class="check">
<input type="checkbox" id="${name}" name="${name}" value="true" aria-describedby="${name}-hint"${isOn && html` checked`}${isFixed && html` disabled`}>
<label for="${name}">${label}</label>
<span class="hint" id="${name}-hint">${hint}</span>
</p>`
}
