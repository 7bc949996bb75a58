import type { Choice } from '../forms/fields.ts'
import type { Explanations } from '../forms/problem.ts'

export const visibilities: readonly Choice[] = [
  { value: 'public', label: 'Everybody' },
  { value: 'limited', label: 'Who is signed in' },
  { value: 'private', label: 'Members of their organizations' },
]

/** What is refused of names, in a form whose field for them is `field`. */
export function nameProblems(field: string): Explanations {
  return {
    name_taken: { field, message: 'This name is taken.' },
    name_reserved: { field, message: 'This name is kept for other things.' },
  }
}

export const accountProblems: Explanations = {
  email_taken: { field: 'email', message: 'Somebody has this address.' },
  email_invalid: { field: 'email', message: 'This is no e-mail address.' },
  password_unfit: ({ message }) => ({ field: 'password', message: `The ${message}.` }),
}
