import type { Config } from '../../platform/config/config.ts'
import { basePath } from '../../platform/config/urls.ts'
import { FormFields, formOfValues } from '../forms/fields.ts'
import { renderPasskeyButton } from '../forms/second-factor.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

export interface SignInState {
  /** Where to go then; a path of this server. */
  readonly redirectTo: string
  /** What was typed before. */
  readonly name?: string
  readonly problem?: string
  /** Another site to which that leads on. */
  readonly leadsOutTo?: string | undefined
}

export function signInPage(config: Config, state: SignInState): Page {
  const { redirectTo, name = '', problem, leadsOutTo } = state
  const fields = new FormFields({
    form: formOfValues({ user_name: name }),
    problem: problem === undefined ? undefined : { field: 'user_name', message: problem },
  })
  const root = basePath(config)
  return {
    title: 'Sign in',
    narrow: true,
    leadsOutTo,
    content: html`
<h1>Sign in</h1>
<form class="sheet form" method="post" action="${root}/user/login">
<input type="hidden" name="redirect_to" value="${redirectTo}">
${fields.text('user_name', 'Name or e-mail', { autocomplete: 'username' })}
${fields.text('password', 'Password', { type: 'password', autocomplete: 'current-password' })}
${fields.text('one_time_code', 'One-time code', { autocomplete: 'one-time-code', secret: true, optional: true, hint: 'Only with two-factor authentication. A recovery code does, too; for a security key, leave it empty.' })}
<button class="button main" type="submit">Sign in</button>
</form>
<form class="form" method="post" action="${root}/user/login/passkey">
<input type="hidden" name="redirect_to" value="${redirectTo}">
${renderPasskeyButton(`${root}/user/login/passkey/question`)}
</form>
${config.openid.issuer !== '' && html`<div class="form"><a class="button" href="${openIdPath(config, redirectTo)}">Sign in with ${config.openid.label}</a></div>`}
<p class="mute">${config.users.sign_up && html`<a href="${root}/user/sign_up">Create an account</a> · `}<a href="${root}/user/forgot_password">Forgot your password?</a> · <a href="${root}/user/change_password">Change your password</a></p>`,
  }
}

/** Where signing in by the OpenID provider begins. */
export function openIdPath(config: Config, redirectTo: string): string {
  const query = new URLSearchParams({ redirect_to: redirectTo })
  return `${basePath(config)}/user/openid?${query.toString()}`
}
