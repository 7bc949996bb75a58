import { AppError } from '../../platform/errors.ts'
import type { Label } from '../../repositories/labels/label.ts'
import { html, type Html } from '../../platform/html.ts'
import { renderRemoval } from './removal.ts'

/** As it is typed: colours as pages have them, with a sign in front. */
export interface LabelDraft {
  readonly name: string
  readonly color: string
  readonly description: string
  readonly exclusive: boolean
  readonly is_archived: boolean
}

const blank: LabelDraft = {
  name: '',
  color: '#2f74d0',
  description: '',
  exclusive: false,
  is_archived: false,
}

/** A form that came back: of a label, or of a new one. */
export interface ReturnedLabel {
  readonly id: number | undefined
  readonly draft?: LabelDraft
  readonly problem?: string
  readonly mistyped?: string
}

export function renderNewLabel(action: string, returned: ReturnedLabel | undefined): Html {
  return html`<details class="sheet opened-form"${returned && html` open`}><summary>New label</summary>
${renderForm(action, 'new', returned?.draft ?? blank, returned?.problem)}
</details>`
}

/** For a label whose address is `path`. */
export function renderLabelForms(
  path: string,
  label: Label,
  returned: ReturnedLabel | undefined,
): Html {
  const { id, name, color, description } = label
  const draft = returned?.draft ?? {
    name,
    color: `#${color}`,
    description,
    exclusive: label.isExclusive,
    is_archived: label.isArchived,
  }
  return html`<div class="ref-forms">
<details${returned?.draft && html` open`}><summary>Edit<span class="unseen"> ${name}</span></summary>${renderForm(`${path}/edit`, String(id), draft, returned?.problem)}</details>
${renderRemoval({ action: `${path}/delete`, name, warning: 'Issues lose it.', mistyped: returned?.mistyped })}
</div>`
}

/** Many of them stand on one page: their fields are told apart by `key`. */
function renderForm(
  action: string,
  key: string,
  draft: LabelDraft,
  problem: string | undefined,
): Html {
  return html`<form class="form label-form" method="post" action="${action}">
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
<p class="field"><label for="name-${key}">Name</label><input id="name-${key}" name="name" value="${draft.name}" required maxlength="255" autocomplete="off"${problem !== undefined && html` aria-invalid="true"`}></p>
<p class="field"><label for="color-${key}">Colour</label><input id="color-${key}" name="color" type="color" value="${draft.color}"></p>
<p class="field"><label for="description-${key}">Description</label><input id="description-${key}" name="description" value="${draft.description}" autocomplete="off"></p>
<p class="check"><input type="checkbox" id="exclusive-${key}" name="exclusive" value="true" aria-describedby="exclusive-hint-${key}"${draft.exclusive && html` checked`}><label for="exclusive-${key}">Exclusive</label><span class="hint" id="exclusive-hint-${key}">Of labels whose names share what stands before the last slash, an issue has one.</span></p>
<p class="check"><input type="checkbox" id="archived-${key}" name="is_archived" value="true"${draft.is_archived && html` checked`}><label for="archived-${key}">Archived: not offered any more</label></p>
<button class="button main">Save label</button>
</form>`
}

export function readDraft(form: URLSearchParams): LabelDraft {
  return {
    name: (form.get('name') ?? '').trim(),
    color: form.get('color') ?? '',
    description: (form.get('description') ?? '').trim(),
    exclusive: form.has('exclusive'),
    is_archived: form.has('is_archived'),
  }
}

const words: Readonly<Record<string, string>> = {
  'Name Required': 'Give it a name.',
  'Name MaxSize': 'The name is too long.',
  'Color Required': 'Give it a colour.',
}

/** Anything but what is wrong with the form is thrown on. */
export function labelProblem(error: unknown): string {
  if (!(error instanceof AppError) || error.code !== 'invalid') throw error
  const { broken, message } = error
  return (broken && words[`${broken.field} ${broken.rule}`]) ?? message
}
