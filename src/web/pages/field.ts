import { html, type Html } from '../html.ts'

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'email' | 'password'
  readonly autocomplete: string
  readonly value?: string | undefined
  readonly hint?: string
  /** May stay empty. */
  readonly optional?: boolean
  /** What is wrong with what was typed. */
  readonly complaint?: string | undefined
}

/** A labelled line of a form. */
export function renderField(options: FieldOptions): Html {
  const { name, label, type, autocomplete, value, hint, optional, complaint } = options
  const notes = [hint && `${name}-hint`, complaint && `${name}-problem`].filter(Boolean).join(' ')
  return html`
<p class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${!optional && html` required`}
${value !== undefined && html` value="${value}"`}
${notes !== '' && html` aria-describedby="${notes}"`}
${complaint && html` aria-invalid="true" autofocus`}>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${complaint && html`<span class="problem" id="${name}-problem" role="alert">${complaint}</span>`}
</p>`
}
