import { AppError } from '../../errors.ts'
import { problemOf, type Explanation, type FormProblem } from '../forms/problem.ts'

/** What is wrong with a rule that protects something, whose name is in `field`. */
export function ruleProblem(
  error: unknown,
  field: string,
  more: readonly Explanation[] = [],
): FormProblem {
  const message = 'There is a rule for this already.'
  const isTaken = error instanceof AppError && error.message.endsWith('already exist')
  if (isTaken) return { field, message }
  return problemOf(error, [
    ...more,
    [/are? empty/, { field, message: 'This is needed.' }],
    [/not a valid pattern/, { field, message: 'This pattern cannot be used.' }],
    [
      /^(.*) is not a valid glob$/s,
      (glob = '') => ({ message: `The pattern ${glob} cannot be used.` }),
    ],
    [
      /^(user|team) does not exist .*name: (.*)\]$/,
      (kind = '', name = '') => ({
        message:
          kind === 'team' ? `There is no team called ${name}.` : `There is nobody called ${name}.`,
      }),
    ],
  ])
}
