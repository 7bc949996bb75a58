import { html, type Html, type Part } from '../../platform/html.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

export const NOTHING = 'Write something first.'

export interface TextField {
  readonly id: string
  readonly name?: string
  readonly rows?: number
  readonly text: string
  readonly placeholder?: string
  /** The id of an element that says more. */
  readonly describedBy?: string
  readonly problem?: string | undefined
}

export interface EditorOptions extends TextField {
  readonly action: string
  readonly label: string
  /** Fields that are not seen. */
  readonly hidden?: Part
  /** Where files are chosen that are sent with the text. */
  readonly files?: Part
  readonly buttons: Part
}

/** A form for a text in Markdown. */
export function renderEditor(visit: Visit, options: EditorOptions): Html {
  const { action, id, label, hidden, files, buttons } = options
  return html`
<form class="sheet editor" method="post"${files && html` enctype="multipart/form-data"`} action="${action}">
<header><label for="${id}">${label}</label><span class="end">Markdown</span></header>
${hidden}${renderTextField(visit, options)}
${files}
<footer>${buttons}</footer>
</form>`
}

/** With script the text can be seen as it will be shown. */
export function renderTextField(visit: Visit, field: TextField): Html {
  const { id, name = 'body', rows = 5, text, placeholder, describedBy, problem } = field
  const notes = [describedBy, problem && `${id}-problem`].filter(Boolean).join(' ')
  // A browser drops the first line end of a text.
  return html`<markdown-preview action="${pathTo(visit, 'markup')}"><textarea id="${id}" name="${name}" rows="${rows}"${placeholder && html` placeholder="${placeholder}"`}${notes !== '' && html` aria-describedby="${notes}"`}${problem && html` aria-invalid="true" autofocus`}>
${text}</textarea></markdown-preview>
${problem && html`<p class="problem" id="${id}-problem" role="alert">${problem}</p>`}`
}

/** What was typed into a form, with the line ends that are kept. */
export function textIn(form: URLSearchParams, name = 'body'): string {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n')
}
