import { labelOf, optionsOf, type Answers } from '../../collaboration/issue-templates/compose.ts'
import type { FormField } from '../../collaboration/issue-templates/fields.ts'
import { renderMarkdown } from '../../platform/markup/render.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { toProse } from '../prose.ts'

/** What a form that was sent says in answer to each field. */
export function answersIn(form: URLSearchParams): Answers {
  return ({ id }) => form.getAll(nameOf(id))
}

export async function renderFields(
  fields: readonly FormField[],
  answers: Answers,
  problem?: { readonly id: string; readonly message: string },
): Promise<readonly Html[]> {
  const shown = fields.filter(({ visible }) => visible.includes('form'))
  return Promise.all(
    shown.map((field) =>
      renderField(field, answers(field), problem?.id === field.id ? problem.message : undefined),
    ),
  )
}

async function renderField(
  field: FormField,
  answers: readonly string[],
  complaint: string | undefined,
): Promise<Html> {
  if (field.type === 'markdown') {
    return html`<div class="prose">${await markdownOf(field, 'value')}</div>`
  }
  const name = nameOf(field.id)
  return html`
<fieldset class="field">
<legend>${labelOf(field)}${isNeeded(field) && html` <span class="mute">(needed)</span>`}</legend>
<div class="hint">${await markdownOf(field, 'description')}</div>
${renderControl(field, name, answers)}
${complaint && html`<span class="problem" role="alert">${complaint}</span>`}
</fieldset>`
}

function renderControl(field: FormField, name: string, answers: readonly string[]): Part {
  const label = labelOf(field)
  const [first] = answers
  const text = first ?? attribute(field, 'value')
  const hint = attribute(field, 'placeholder')
  if (field.type === 'textarea') {
    return html`<textarea name="${name}" rows="5" aria-label="${label}" placeholder="${hint}">${text}</textarea>`
  }
  if (field.type === 'dropdown') return renderDropdown(field, name, answers)
  if (field.type === 'checkboxes') return renderChecks(field, name, answers)
  return html`<input type="text" name="${name}" value="${text}" aria-label="${label}" placeholder="${hint}">`
}

function renderDropdown(field: FormField, name: string, answers: readonly string[]): Html {
  const isMany = field.attributes?.['multiple'] === true
  const chosen = answers.length > 0 ? answers : [attribute(field, 'default')]
  const option = (label: string, at: number) =>
    html`<option value="${at}"${chosen.includes(String(at)) && html` selected`}>${label}</option>`
  return html`<select name="${name}" aria-label="${labelOf(field)}"${isMany && html` multiple`}>${!isMany && html`<option value="">None</option>`}${optionsOf(field).map(({ label }, at) => option(label, at))}</select>`
}

function renderChecks(field: FormField, name: string, answers: readonly string[]): readonly Html[] {
  return optionsOf(field).map(
    (option, at) =>
      html`<label class="option"><input type="checkbox" name="${name}" value="${at}"${answers.includes(String(at)) && html` checked`}${option.isNeeded && html` required`}> ${option.label}</label>`,
  )
}

function isNeeded({ validations }: FormField): boolean {
  return validations?.['required'] === true
}

async function markdownOf(field: FormField, name: string): Promise<Html> {
  return toProse(await renderMarkdown(attribute(field, name)))
}

function attribute({ attributes }: FormField, name: string): string {
  const value = attributes?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function nameOf(id: string): string {
  return `form-field-${id}`
}
