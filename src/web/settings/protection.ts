import { problemOf, type Explanations, type FormProblem } from '../forms/problem.ts'

/** What is wrong with a rule that protects something, whose name is in `field`. */
export function ruleProblem(error: unknown, field: string, more: Explanations = {}): FormProblem {
  return problemOf(error, {
    name_taken: { field, message: 'There is a rule for this already.' },
    name_missing: { field, message: 'This is needed.' },
    pattern_invalid: { field, message: 'This pattern cannot be used.' },
    glob_invalid: ({ subject }) => ({ message: `The pattern ${subject} cannot be used.` }),
    user_missing: ({ subject }) => ({ message: `There is nobody called ${subject}.` }),
    team_missing: ({ subject }) => ({ message: `There is no team called ${subject}.` }),
    ...more,
  })
}
