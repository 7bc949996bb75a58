import { html, type Html } from '../../platform/html.ts'

export interface Removal {
  readonly action: string
  readonly name: string
  /** What goes with it. */
  readonly warning: string
  /** What was typed before, and was something else. */
  readonly mistyped?: string | undefined
}

/** A deletion, for which the name has to be typed. */
export function renderRemoval({ action, name, warning, mistyped }: Removal): Html {
  const isOpen = mistyped !== undefined
  return html`<details${isOpen && html` open`}><summary>Delete<span class="unseen"> ${name}</span></summary>
<form method="post" action="${action}">
<label><span>${warning} Type <b>${name}</b> to delete it.</span> <input name="confirm" value="${mistyped ?? ''}" required autocomplete="off" autocapitalize="none" spellcheck="false"${isOpen && html` aria-invalid="true" autofocus`}></label>
<button class="button danger">Delete</button></form></details>`
}
