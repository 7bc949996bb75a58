import type { Config } from '../../platform/config/config.ts'
import { basePath } from '../../platform/config/urls.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import type { FormProblem } from '../forms/problem.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

/** The names that clients fill in, by what they are in the form of a server's first account. */
const names: Readonly<Record<string, string>> = {
  username: 'user_name',
  email: 'email',
  password: 'password',
  password_again: 'retype',
}

/** The form under the names that the form of a server's first account has. */
export function readNames(form: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams()
  for (const [ours, theirs] of Object.entries(names)) read.set(ours, form.get(theirs) ?? '')
  return read
}

/** What is wrong in that form, said of the field that clients fill in. */
export function underClientName({ field, message }: FormProblem): FormProblem {
  const name = field === undefined ? undefined : names[field]
  return name === undefined ? { message } : { field: name, message }
}

export function signUpPage(config: Config, state: FormState): Page {
  const fields = new FormFields(state)
  return {
    title: 'Create an account',
    narrow: true,
    content: html`
<h1>Create an account</h1>
${fields.complaint}
<form class="sheet form" method="post" action="${basePath(config)}/user/sign_up">
${fields.text('user_name', 'Name', { autocomplete: 'username' })}
${fields.text('email', 'E-mail', { type: 'email', autocomplete: 'email' })}
${fields.text('password', 'Password', { type: 'password', autocomplete: 'new-password' })}
${fields.text('retype', 'Password again', { type: 'password', autocomplete: 'new-password' })}
<button class="button main" type="submit">Create account</button>
</form>`,
  }
}
