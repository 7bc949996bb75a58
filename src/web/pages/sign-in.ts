import type { Config } from '../../config/config.ts'
import { basePath } from '../../config/urls.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import { renderField } from './field.ts'

export interface SignInState {
  /** Where to go then; a path of this server. */
  readonly redirectTo: string
  /** What was typed before. */
  readonly name?: string
  readonly problem?: string
}

export function signInPage(config: Config, { redirectTo, name, problem }: SignInState): Page {
  const root = basePath(config)
  return {
    title: 'Sign in',
    narrow: true,
    content: html`
<h1>Sign in</h1>
<form class="sheet form" method="post" action="${root}/user/login">
<input type="hidden" name="redirect_to" value="${redirectTo}">
${renderField({ name: 'user_name', label: 'Name or e-mail', type: 'text', autocomplete: 'username', value: name, complaint: problem })}
${renderField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
${renderField({ name: 'one_time_code', label: 'One-time code', type: 'text', autocomplete: 'one-time-code', hint: 'Only with two-factor authentication.', optional: true })}
<button class="button main" type="submit">Sign in</button>
</form>
<p class="mute">${config.users.sign_up && html`<a href="${root}/user/sign_up">Create an account</a> · `}<a href="${root}/user/change_password">Change your password</a></p>`,
  }
}
