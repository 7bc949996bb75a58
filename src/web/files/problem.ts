import type { AppError } from '../../errors.ts'
import { statuses } from '../../http/errors.ts'
import { html, type Part } from '../html.ts'

/** What keeps a commit from being made, as somebody is told who has typed one. */
export interface Problem {
  /** Absent: what is wrong is with no single field. */
  readonly field?: 'tree_path' | 'new_branch_name'
  readonly message: string
  readonly status?: number
}

const known: readonly (Problem & { readonly said: RegExp })[] = [
  {
    said: /^branch already exists/,
    field: 'new_branch_name',
    message: 'There is a branch of this name already.',
  },
  {
    said: /^\[BranchName\]/,
    field: 'new_branch_name',
    message: 'Git does not take this as the name of a branch.',
  },
  {
    said: /^repository file already exists/,
    field: 'tree_path',
    message: 'There is a file of this name already.',
  },
  {
    said: /^path contains a malformed/,
    field: 'tree_path',
    message: 'Git cannot keep a file at this path.',
  },
  {
    said: /exists where you’re trying to create/,
    field: 'tree_path',
    message: 'Something else lies where this path leads.',
  },
]

/** Of failures that the sender can do something about; of others none. */
export function problemOf(error: AppError): Problem | undefined {
  if (error.code === 'forbidden') {
    const message = 'The rules of this branch do not let you commit this. Commit to a new branch.'
    return { message, status: statuses.forbidden }
  }
  if (error.code === 'conflict') return { message: error.message, status: statuses.conflict }
  if (error.code !== 'invalid') return undefined
  return known.find(({ said }) => said.test(error.message)) ?? { message: error.message }
}

/** Whether the file is not, or no longer, what the sender began with. */
export function isStale({ code, message }: AppError): boolean {
  if (code === 'not_found') return message.startsWith('object does not exist')
  return (
    code === 'invalid' && /^(?:sha does not match|a (?:directory|submodule) is no)/.test(message)
  )
}

export function renderProblem(problem: Problem | undefined): Part {
  return (
    problem &&
    problem.field === undefined &&
    html`<p class="sheet notice problem" role="alert">${problem.message}</p>`
  )
}
