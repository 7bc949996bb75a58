import type { AppError } from '../../errors.ts'
import { statuses } from '../../http/errors.ts'
import { explain, type Explanation, type FormProblem } from '../forms/problem.ts'

/** What keeps a commit from being made, as somebody is told who has typed one. */
export interface CommitProblem extends FormProblem {
  readonly status?: number
}

const explanations: readonly Explanation[] = [
  [
    /^branch already exists/,
    { field: 'new_branch_name', message: 'There is a branch of this name already.' },
  ],
  [
    /^\[BranchName\]/,
    { field: 'new_branch_name', message: 'Git does not take this as the name of a branch.' },
  ],
  [
    /^repository file already exists/,
    { field: 'tree_path', message: 'There is a file of this name already.' },
  ],
  [
    /^path contains a malformed/,
    { field: 'tree_path', message: 'Git cannot keep a file at this path.' },
  ],
  [
    /exists where you’re trying to create/,
    { field: 'tree_path', message: 'Something else lies where this path leads.' },
  ],
]

/** Of failures that the sender can do something about; of others none. */
export function commitProblem({ code, message }: AppError): CommitProblem | undefined {
  if (code === 'forbidden') {
    const told = 'The rules of this branch do not let you commit this. Commit to a new branch.'
    return { message: told, status: statuses.forbidden }
  }
  if (code === 'conflict') return { message, status: statuses.conflict }
  if (code !== 'invalid') return undefined
  return explain(message, explanations) ?? { message }
}

/** Whether the file is not, or no longer, what the sender began with. */
export function isStale({ code, message }: AppError): boolean {
  if (code === 'not_found') return message.startsWith('object does not exist')
  return (
    code === 'invalid' && /^(?:sha does not match|a (?:directory|submodule) is no)/.test(message)
  )
}
