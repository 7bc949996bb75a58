import { html, type Html } from '../html.ts'

export interface TextAreaOptions {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly rows: number
  readonly hint?: string
  /** For what is no prose: lines are not broken, and nothing in them is corrected. */
  readonly isSource?: boolean
}

/** A labelled text of many lines. Browsers leave out the line break that it begins with. The page itself has `content` for an id. */
export function renderTextArea(options: TextAreaOptions): Html {
  const { name, label, value, rows, hint, isSource = false } = options
  return html`
<p class="field">
<label for="${name}-text">${label}</label>
<textarea id="${name}-text" name="${name}" rows="${rows}"${isSource && html` class="source" wrap="off" spellcheck="false" autocapitalize="none" autocomplete="off"`}${hint && html` aria-describedby="${name}-hint"`}>
${value}</textarea>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
</p>`
}

/** What was typed into it: browsers end lines in their own way. */
export function typedText(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n')
}
