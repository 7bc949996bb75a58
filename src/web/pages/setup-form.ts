import { invalid, type AppError, type BrokenRule } from '../../platform/errors.ts'
import { bindForm } from '../../platform/http/binding.ts'
import type { NewPerson } from '../../identity/users/create.ts'
import { CreateUserOption } from '../../identity/users/schema.ts'
import { explain, type Explanations, type FormProblem } from '../forms/problem.ts'

const DIFFERENT = 'The two passwords differ.'

export function readSetupForm(form: URLSearchParams): NewPerson {
  const { username, email, password = '' } = bindForm(CreateUserOption, form)
  if (password !== form.get('password_again'))
    throw invalid(DIFFERENT, { reason: 'passwords_differ' })
  return { name: username, email, password }
}

/** Refusals of the API, said to somebody who fills in a form. */
const problems: Explanations = {
  name_taken: { field: 'username', message: 'This name is taken.' },
  name_reserved: { field: 'username', message: 'This name is reserved. Choose another.' },
  email_taken: { field: 'email', message: 'This address cannot be used.' },
  passwords_differ: { field: 'password_again', message: DIFFERENT },
  password_unfit: ({ message }) => ({ field: 'password', message: `The ${message}.` }),
}

export function setupProblem(error: AppError): FormProblem {
  const { broken, message } = error
  return (broken && ruleProblem(broken)) ?? explain(error, problems) ?? { message }
}

function ruleProblem({ field, rule }: BrokenRule): FormProblem | undefined {
  if (field === 'Username') return { field: 'username', message: nameRule(rule) }
  if (field !== 'Email') return undefined
  const message = rule === 'Required' ? 'Enter an address.' : 'This is not an e-mail address.'
  return { field: 'email', message }
}

function nameRule(rule: string): string {
  if (rule === 'Required') return 'Choose a name.'
  if (rule === 'MaxSize') return 'At most 40 characters.'
  return 'Letters and digits, with single dashes, dots or underscores between them.'
}
