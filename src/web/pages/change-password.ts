import type { Config } from '../../config/config.ts'
import { basePath } from '../../config/urls.ts'
import { invalid, type AppError } from '../../errors.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import { renderField } from './field.ts'

export interface ChangeProblem {
  readonly field: 'user_name' | 'password' | 'retype'
  readonly message: string
}

const DIFFERENT = 'The two passwords differ.'

export function readPasswordChange(form: URLSearchParams) {
  const text = (name: string) => form.get(name) ?? ''
  const newPassword = text('password')
  if (newPassword !== text('retype')) throw invalid(DIFFERENT)
  return { name: text('user_name'), oldPassword: text('old_password'), newPassword }
}

/** What keeps the password from being changed, as somebody is told who fills in a form. */
export function changeProblem({ code, message }: AppError): ChangeProblem {
  if (message === DIFFERENT) return { field: 'retype', message }
  if (code !== 'unauthenticated') return { field: 'password', message: `The ${message}.` }
  return { field: 'user_name', message: 'Name, password and one-time code do not fit together.' }
}

export interface ChangePasswordState {
  /** What was typed before. */
  readonly name?: string | undefined
  readonly problem?: ChangeProblem
}

export function changePasswordPage(config: Config, { name, problem }: ChangePasswordState): Page {
  const least = config.security.min_password_length
  const complaintOf = (field: string) => (problem?.field === field ? problem.message : undefined)
  const password = (field: string, label: string, hint?: string) =>
    renderField({
      name: field,
      label,
      type: 'password',
      autocomplete: field === 'old_password' ? 'current-password' : 'new-password',
      complaint: complaintOf(field),
      ...(hint === undefined ? {} : { hint }),
    })
  return {
    title: 'Change your password',
    narrow: true,
    content: html`
<h1>Change your password</h1>
<form class="sheet form" method="post" action="${basePath(config)}/user/change_password">
${renderField({ name: 'user_name', label: 'Name', type: 'text', autocomplete: 'username', value: name, complaint: complaintOf('user_name') })}
${password('old_password', 'Present password')}
${renderField({ name: 'one_time_code', label: 'One-time code', type: 'text', autocomplete: 'one-time-code', hint: 'Only with two-factor authentication.', optional: true })}
${password('password', 'New password', `At least ${least} characters.`)}
${password('retype', 'New password again')}
<button class="button main" type="submit">Change password</button>
</form>`,
  }
}

export function passwordChangedPage(config: Config): Page {
  return {
    title: 'Your password is changed',
    narrow: true,
    content: html`
<h1>Your password is changed</h1>
<p class="lede">The new one counts from now on, and browsers have to sign in again. Access tokens stay as they are.</p>
<p><a class="button main" href="${basePath(config)}/user/login">Sign in</a></p>`,
  }
}
