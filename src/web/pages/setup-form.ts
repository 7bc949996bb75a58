import { invalid, type AppError } from '../../errors.ts'
import { bindForm } from '../../http/binding.ts'
import type { NewPerson } from '../../users/create.ts'
import { CreateUserOption } from '../../users/schema.ts'

export type SetupField = 'username' | 'email' | 'password' | 'password_again'

/** What keeps the form from being taken; without a field it is about the whole of it. */
export interface SetupProblem {
  readonly field: SetupField | undefined
  readonly message: string
}

const DIFFERENT = 'The two passwords differ.'

export function readSetupForm(form: URLSearchParams): NewPerson {
  const { username, email, password = '' } = bindForm(CreateUserOption, form)
  if (password !== form.get('password_again')) throw invalid(DIFFERENT)
  return { name: username, email, password }
}

/** The same refusals as in the API, said to somebody who fills in a form. */
const problems: readonly (SetupProblem & { readonly when: RegExp })[] = [
  { when: /^\[Username\]: Required/, field: 'username', message: 'Choose a name.' },
  { when: /^\[Username\]: MaxSize/, field: 'username', message: 'At most 40 characters.' },
  {
    when: /^\[Username\]/,
    field: 'username',
    message: 'Letters and digits, with single dashes, dots or underscores between them.',
  },
  { when: /^user already exists/, field: 'username', message: 'This name is taken.' },
  { when: /^e-mail already in use/, field: 'email', message: 'This address cannot be used.' },
  { when: /^name /, field: 'username', message: 'This name is reserved. Choose another.' },
  { when: /^\[Email\]: Required/, field: 'email', message: 'Enter an address.' },
  { when: /^\[Email\]/, field: 'email', message: 'This is not an e-mail address.' },
]

export function setupProblem({ message }: AppError): SetupProblem {
  const known = problems.find(({ when }) => when.test(message))
  if (known) return { field: known.field, message: known.message }
  if (message === DIFFERENT) return { field: 'password_again', message }
  if (message.startsWith('password ')) {
    return { field: 'password', message: `The ${message}.` }
  }
  return { field: undefined, message }
}
