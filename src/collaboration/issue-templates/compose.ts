import type { FormField } from './fields.ts'

/** What somebody chose or wrote in a field: one text, or several. */
export type Answers = (field: FormField) => readonly string[]

/** The first field that must be answered, and is not. */
export function findUnanswered(
  fields: readonly FormField[],
  answers: Answers,
): FormField | undefined {
  return fields.find((field) => {
    if (field.type === 'checkboxes') return !areNeededChecked(field, answers(field))
    return field.validations?.['required'] === true && isBlank(answers(field))
  })
}

/** The text of an issue from the answers to a form. */
export function composeBody(fields: readonly FormField[], answers: Answers): string {
  return fields
    .filter(({ type, visible }) => type !== 'markdown' && visible.includes('content'))
    .map((field) => `${headingOf(field)}${textOf(field, answers(field))}\n`)
    .join('\n')
}

export function labelOf({ attributes, id }: FormField): string {
  const label = attributes?.['label']
  return typeof label === 'string' && label !== '' ? label : id
}

export interface Option {
  readonly label: string
  readonly isNeeded: boolean
}

/** Of a dropdown or of checkboxes. */
export function optionsOf({ attributes }: FormField): readonly Option[] {
  const options = attributes?.['options']
  return Array.isArray(options) ? options.map(readOption) : []
}

function readOption(option: unknown): Option {
  if (typeof option !== 'object' || option === null) {
    return { label: String(option), isNeeded: false }
  }
  const { label, required } = option as { label?: unknown; required?: unknown }
  return { label: String(label), isNeeded: required === true }
}

function areNeededChecked(field: FormField, checked: readonly string[]): boolean {
  return optionsOf(field).every(({ isNeeded }, at) => !isNeeded || checked.includes(String(at)))
}

function headingOf(field: FormField): string {
  return field.attributes?.['hide_label'] === true ? '' : `### ${labelOf(field)}\n\n`
}

function textOf(field: FormField, answers: readonly string[]): string {
  const options = optionsOf(field)
  if (field.type === 'checkboxes') {
    return options
      .map(({ label }, at) => `- [${answers.includes(String(at)) ? 'x' : ' '}] ${label}`)
      .join('\n')
  }
  if (isBlank(answers)) return '_No response_'
  if (field.type === 'dropdown') {
    return options
      .filter((_option, at) => answers.includes(String(at)))
      .map(({ label }) => label)
      .join(', ')
  }
  const text = answers.join('\n').replaceAll('\r\n', '\n')
  const language = field.attributes?.['render']
  if (typeof language !== 'string' || language === '') return text
  return `${fenceFor(text)}${language}\n${text}\n${fenceFor(text)}`
}

/** Longer than any row of backticks in the text. */
function fenceFor(text: string): string {
  const rows = text.match(/`+/g) ?? []
  return '`'.repeat(rows.reduce((longest, row) => Math.max(longest, row.length + 1), 3))
}

function isBlank(answers: readonly string[]): boolean {
  return answers.every((answer) => answer.trim() === '')
}
