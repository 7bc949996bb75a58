import { invalid, type AppError } from '../../errors.ts'
import { bindForm } from '../../http/binding.ts'
import type { NewPerson } from '../../users/create.ts'
import { CreateUserOption } from '../../users/schema.ts'
import { explain, type Explanation, type FormProblem } from '../forms/problem.ts'

const DIFFERENT = 'The two passwords differ.'

export function readSetupForm(form: URLSearchParams): NewPerson {
  const { username, email, password = '' } = bindForm(CreateUserOption, form)
  if (password !== form.get('password_again')) throw invalid(DIFFERENT)
  return { name: username, email, password }
}

/** The same refusals as in the API, said to somebody who fills in a form. */
const problems: readonly Explanation[] = [
  [/^\[Username\]: Required/, { field: 'username', message: 'Choose a name.' }],
  [/^\[Username\]: MaxSize/, { field: 'username', message: 'At most 40 characters.' }],
  [
    /^\[Username\]/,
    {
      field: 'username',
      message: 'Letters and digits, with single dashes, dots or underscores between them.',
    },
  ],
  [/^user already exists/, { field: 'username', message: 'This name is taken.' }],
  [/^e-mail already in use/, { field: 'email', message: 'This address cannot be used.' }],
  [/^name /, { field: 'username', message: 'This name is reserved. Choose another.' }],
  [/^\[Email\]: Required/, { field: 'email', message: 'Enter an address.' }],
  [/^\[Email\]/, { field: 'email', message: 'This is not an e-mail address.' }],
  [/^The two passwords differ/, { field: 'password_again', message: DIFFERENT }],
  [/^(password .*)/s, (said = '') => ({ field: 'password', message: `The ${said}.` })],
]

export function setupProblem({ message }: AppError): FormProblem {
  return explain(message, problems) ?? { message }
}
