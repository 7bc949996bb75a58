import { AppError, type ErrorCode, isNotFound } from '../../errors.ts'
import { html, type Part } from '../html.ts'

export interface FormProblem {
  /** Absent: what is wrong is with no single field. */
  readonly field?: string
  readonly message: string
}

/** What an operation refuses in the words of its own, told in those of a form: the first that fits. */
export type Explanation = readonly [
  RegExp,
  FormProblem | ((...found: readonly string[]) => FormProblem),
]

/** What keeps a form from being taken, as somebody is told who fills it in. Anything else that fails is thrown on. */
export function problemOf(error: unknown, explanations: readonly Explanation[] = []): FormProblem {
  if (!(error instanceof AppError) || error.retryAfter !== undefined) throw error
  if (!tellable.includes(error.code)) throw error
  const { message } = error
  const [, label = '', rule = ''] = /^\[(\w+)\]: (.+)$/.exec(message) ?? []
  const told = rules[rule]
  if (told !== undefined) return { field: fieldName(label), message: told }
  return explain(message, explanations) ?? { message: sentence(message) }
}

/** In the words of the first that fits. */
export function explain(
  message: string,
  explanations: readonly Explanation[],
): FormProblem | undefined {
  for (const [pattern, told] of explanations) {
    const found = pattern.exec(message)
    if (found) return typeof told === 'function' ? told(...found.slice(1)) : told
  }
  return undefined
}

/** Above a form: what is wrong with no single field of it, and what else is to be said then. */
export function renderProblem(problem: FormProblem | undefined, more?: Part): Part {
  if (!problem || problem.field !== undefined) return undefined
  return html`<p class="sheet notice problem" role="alert">${problem.message}${more && html` ${more}`}</p>`
}

const tellable: readonly ErrorCode[] = ['invalid', 'conflict', 'bad_request', 'too_large']

const rules: Readonly<Record<string, string>> = {
  Required: 'This is needed.',
  AlphaDashDot: 'Only letters, digits, dashes, dots and underscores.',
  GitRefName: 'Git does not take this as the name of a branch.',
  MaxSize: 'This is too long.',
  MinSize: 'This is too short.',
  Url: 'This is no address of a page.',
  Email: 'This is no e-mail address.',
  GlobPattern: 'This pattern cannot be used.',
  Header: 'This is no text that a header can have.',
  In: 'Choose one of those that are offered.',
  'invalid username': 'Letters and digits, with single dashes, dots or underscores between them.',
}

/** FullName is full_name in forms. */
function fieldName(label: string): string {
  return label.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** The same where somebody is named. */
export function personProblem(
  error: unknown,
  explanations: readonly Explanation[] = [],
): FormProblem {
  const isUnknown = isNotFound(error)
  if (isUnknown) return { field: 'name', message: 'There is nobody of this name.' }
  return problemOf(error, explanations)
}

/** Names of repositories, whoever gives them. */
export const namingProblems: readonly Explanation[] = [
  [/already exists/, { field: 'name', message: 'There is a repository of this name already.' }],
  [/name is empty/, { field: 'name', message: 'This is needed.' }],
  [
    /\bname (is|pattern)/,
    { field: 'name', message: 'This name is kept for other things. Choose another one.' },
  ],
]

const creationProblems: readonly Explanation[] = [
  [/^org does not exist/, { field: 'owner', message: 'There is no organization of this name.' }],
  ...namingProblems,
]

/** The same for something new, of which the viewer may not make any number for everybody. */
export function creationProblem(error: unknown, more: readonly Explanation[] = []): FormProblem {
  const isForbidden = error instanceof AppError && error.code === 'forbidden'
  if (isForbidden) return { message: sentence(error.message) }
  return problemOf(error, [...more, ...creationProblems])
}
