import type { Config } from '../../platform/config/config.ts'
import { basePath } from '../../platform/config/urls.ts'
import { invalid, type AppError } from '../../platform/errors.ts'
import { FormFields, formOfValues } from '../forms/fields.ts'
import type { FormProblem } from '../forms/problem.ts'
import { renderKeyPrompt } from '../forms/second-factor.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

const DIFFERENT = 'The two passwords differ.'

export function readPasswordChange(form: URLSearchParams) {
  const text = (name: string) => form.get(name) ?? ''
  const newPassword = text('password')
  if (newPassword !== text('retype')) throw invalid(DIFFERENT, { reason: 'passwords_differ' })
  return { name: text('user_name'), oldPassword: text('old_password'), newPassword }
}

/** What keeps the password from being changed, as somebody is told who fills in a form. */
export function changeProblem({ code, reason, message }: AppError): FormProblem {
  if (reason === 'passwords_differ') return { field: 'retype', message }
  if (reason === 'second_factor_missing') {
    return { field: 'one_time_code', message: 'So far all is right. Type a code, too.' }
  }
  if (code !== 'unauthenticated') return { field: 'password', message: `The ${message}.` }
  return { field: 'user_name', message: 'Name, password and one-time code do not fit together.' }
}

export interface ChangePasswordState {
  /** What was typed before. */
  readonly name?: string | undefined
  readonly problem?: FormProblem
  /**
   * Where what to ask a security key is to be had, of somebody who has one and is at least half
   * signed in.
   */
  readonly question?: string | undefined
}

export function changePasswordPage(
  config: Config,
  { name = '', problem, question }: ChangePasswordState,
): Page {
  const least = config.security.min_password_length
  const fields = new FormFields({ form: formOfValues({ user_name: name }), problem })
  return {
    title: 'Change your password',
    narrow: true,
    content: html`
<h1>Change your password</h1>
<form class="sheet form" method="post" action="${basePath(config)}/user/change_password">
${fields.text('user_name', 'Name', { autocomplete: 'username' })}
${fields.text('old_password', 'Present password', { type: 'password', autocomplete: 'current-password' })}
${fields.text('one_time_code', 'One-time code', { autocomplete: 'one-time-code', secret: true, optional: true, hint: 'Only with two-factor authentication. A recovery code does, too; with a security key, sign in first.' })}
${question !== undefined && renderKeyPrompt({ question, code: 'one_time_code', hint: 'Leave the code empty to use your security key.' })}
${fields.text('password', 'New password', { type: 'password', autocomplete: 'new-password', hint: `At least ${least} characters.` })}
${fields.text('retype', 'New password again', { type: 'password', autocomplete: 'new-password' })}
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
