import {
  AppError,
  type BrokenRule,
  type ErrorCode,
  isNotFound,
  type Refusal,
} from '../../platform/errors.ts'
import type { Reason } from '../../platform/reason.ts'
import { html, type Part } from '../../platform/html.ts'

export interface FormProblem {
  /** Absent: what is wrong is with no single field. */
  readonly field?: string
  readonly message: string
}

/** Why an operation refuses, told in the words of a form. */
export type Explanations = {
  readonly [reason in Reason]?: FormProblem | ((refusal: Refusal) => FormProblem)
}

/**
 * What keeps a form from being taken, as somebody is told who fills it in. Anything else that fails
 * is thrown on.
 */
export function problemOf(error: unknown, explanations: Explanations = {}): FormProblem {
  if (!(error instanceof AppError) || error.retryAfter !== undefined) throw error
  const told = (error.broken && ruleProblem(error.broken)) ?? explain(error, explanations)
  if (told) return told
  if (!tellable.includes(error.code)) throw error
  return { message: sentence(error.message) }
}

export function explain(refusal: Refusal, explanations: Explanations): FormProblem | undefined {
  const told = refusal.reason && explanations[refusal.reason]
  return typeof told === 'function' ? told(refusal) : told
}

function ruleProblem({ field, rule }: BrokenRule): FormProblem | undefined {
  const message = rules[rule]
  return message === undefined ? undefined : { field: fieldName(field), message }
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

/** Like `problemOf`, for a form in which somebody is named. */
export function personProblem(error: unknown, explanations: Explanations = {}): FormProblem {
  const isUnknown = isNotFound(error)
  if (isUnknown) return { field: 'name', message: 'There is nobody of this name.' }
  return problemOf(error, explanations)
}

/** Names of repositories, whoever gives them. */
export function namingProblems(field = 'name'): Explanations {
  const kept = { field, message: 'This name is kept for other things. Choose another one.' }
  return {
    name_taken: { field, message: 'There is a repository of this name already.' },
    name_missing: { field, message: 'This is needed.' },
    name_reserved: kept,
    name_invalid: kept,
  }
}

const creationProblems: Explanations = {
  organization_missing: { field: 'owner', message: 'There is no organization of this name.' },
  ...namingProblems(),
}

/** Like `problemOf`, for a new repository: also says why the viewer may not make it. */
export function creationProblem(error: unknown, more: Explanations = {}): FormProblem {
  const isForbidden = error instanceof AppError && error.code === 'forbidden'
  if (isForbidden) return { message: sentence(error.message) }
  return problemOf(error, { ...creationProblems, ...more })
}
