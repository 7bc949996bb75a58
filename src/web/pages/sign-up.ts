import type { Config } from '../../config/config.ts'
import { basePath } from '../../config/urls.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import { renderField } from './field.ts'
import type { SetupField, SetupProblem } from './setup-form.ts'

/** The names that clients fill in, by what they are in other forms. */
const names = {
  username: 'user_name',
  email: 'email',
  password: 'password',
  password_again: 'retype',
} as const satisfies Record<SetupField, string>

/** The form under the names that the form of a server's first account has. */
export function readNames(form: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams()
  for (const [ours, theirs] of Object.entries(names)) read.set(ours, form.get(theirs) ?? '')
  return read
}

export interface SignUpState {
  /** What was typed before. */
  readonly form?: URLSearchParams
  readonly problem?: SetupProblem
}

export function signUpPage(config: Config, { form, problem }: SignUpState): Page {
  const field = (name: SetupField, label: string, type: 'text' | 'email' | 'password') =>
    renderField({
      name: names[name],
      label,
      type,
      autocomplete: type === 'password' ? 'new-password' : type === 'text' ? 'username' : type,
      value: type === 'password' ? undefined : (form?.get(name) ?? undefined),
      complaint: problem?.field === name ? problem.message : undefined,
    })
  return {
    title: 'Create an account',
    narrow: true,
    content: html`
<h1>Create an account</h1>
${problem && problem.field === undefined && html`<p class="problem" role="alert">${problem.message}</p>`}
<form class="sheet form" method="post" action="${basePath(config)}/user/sign_up">
${field('username', 'Name', 'text')}
${field('email', 'E-mail', 'email')}
${field('password', 'Password', 'password')}
${field('password_again', 'Password again', 'password')}
<button class="button main" type="submit">Create account</button>
</form>`,
  }
}
