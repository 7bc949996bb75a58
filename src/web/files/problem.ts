import type { AppError } from '../../platform/errors.ts'
import { statuses } from '../../platform/http/errors.ts'
import { explain, type Explanations, type FormProblem } from '../forms/problem.ts'

/** What keeps a commit from being made, as somebody is told who has typed one. */
export interface CommitProblem extends FormProblem {
  readonly status?: number
}

const explanations: Explanations = {
  branch_taken: { field: 'new_branch_name', message: 'There is a branch of this name already.' },
  path_taken: { field: 'tree_path', message: 'There is a file of this name already.' },
  path_invalid: { field: 'tree_path', message: 'Git cannot keep a file at this path.' },
  path_blocked: { field: 'tree_path', message: 'Something else lies where this path leads.' },
}

/** Of failures that the sender can do something about; of others none. */
export function commitProblem(error: AppError): CommitProblem | undefined {
  const { code, broken, message } = error
  if (code === 'forbidden') {
    const told = 'The rules of this branch do not let you commit this. Commit to a new branch.'
    return { message: told, status: statuses.forbidden }
  }
  if (code === 'conflict') return { message, status: statuses.conflict }
  if (code !== 'invalid') return undefined
  if (broken?.field === 'BranchName') {
    const told = 'Git does not take this as the name of a branch.'
    return { field: 'new_branch_name', message: told }
  }
  return explain(error, explanations) ?? { message }
}

/** Whether the file is not, or no longer, what the sender began with. */
export function isStale({ reason }: AppError): boolean {
  return reason === 'stale'
}
