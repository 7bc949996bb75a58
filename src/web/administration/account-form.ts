import type { Choice } from '../forms/fields.ts'
import type { Explanation } from '../forms/problem.ts'

export const visibilities: readonly Choice[] = [
  { value: 'public', label: 'Everybody' },
  { value: 'limited', label: 'Who is signed in' },
  { value: 'private', label: 'Members of their organizations' },
]

/** What is refused of names, in a form whose field for them is `field`. */
export function nameProblems(field: string): readonly Explanation[] {
  return [
    [/already exists/, { field, message: 'This name is taken.' }],
    [/\bname (is|pattern)/, { field, message: 'This name is kept for other things.' }],
  ]
}

export const accountProblems: readonly Explanation[] = [
  [/^e-mail already/, { field: 'email', message: 'Somebody has this address.' }],
  [/^e-mail/, { field: 'email', message: 'This is no e-mail address.' }],
  [/max_repo_creation/, { field: 'max_repo_creation', message: 'This is no whole number.' }],
  [/^(password .*)/s, (said = '') => ({ field: 'password', message: `The ${said}.` })],
]
