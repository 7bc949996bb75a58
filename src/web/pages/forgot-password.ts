import type { Config } from '../../platform/config/config.ts'
import { basePath } from '../../platform/config/urls.ts'
import { invalid, type AppError } from '../../platform/errors.ts'
import { FormFields, formOfValues, type FormState } from '../forms/fields.ts'
import type { FormProblem } from '../forms/problem.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

const DIFFERENT = 'The two passwords differ.'

export function forgotPasswordPage(config: Config, state: FormState): Page {
  const fields = new FormFields(state)
  return {
    title: 'Forgot your password?',
    narrow: true,
    content: html`
<h1>Forgot your password?</h1>
${fields.complaint}
<form class="sheet form" method="post" action="${basePath(config)}/user/forgot_password">
${fields.text('email', 'E-mail', { type: 'email', autocomplete: 'email', hint: 'An address of your account that is confirmed.' })}
<button class="button main" type="submit">Mail me a link</button>
</form>`,
  }
}

/** Where no mail is sent. */
export function askAdministratorPage(): Page {
  return {
    title: 'Forgot your password?',
    narrow: true,
    content: html`
<h1>Forgot your password?</h1>
<p class="lede">This server sends no mail. Ask one of its administrators: they set passwords.</p>`,
  }
}

/** Does not tell whether anybody has the address. */
export function resetAskedPage(): Page {
  return {
    title: 'Look into your mail',
    narrow: true,
    content: html`
<h1>Look into your mail</h1>
<p class="lede">If an account has this address and has confirmed it, a mail with a link is on its way there. The link works for an hour.</p>`,
  }
}

export function readNewPassword(form: URLSearchParams): { code: string; newPassword: string } {
  const newPassword = form.get('password') ?? ''
  if (newPassword !== form.get('retype')) throw invalid(DIFFERENT, { reason: 'passwords_differ' })
  return { code: form.get('code') ?? '', newPassword }
}

/** What keeps the password from being set, as somebody is told who fills in a form. */
export function resetProblem({ code, reason, message }: AppError): FormProblem {
  if (reason === 'passwords_differ') return { field: 'retype', message }
  if (code === 'unauthenticated') {
    return { field: 'one_time_code', message: 'This one-time code is not the one.' }
  }
  return { field: 'password', message: `The ${message}.` }
}

export interface RecoveryState {
  readonly code: string
  readonly name: string
  readonly asksForFactor: boolean
  readonly problem?: FormProblem | undefined
}

export function recoverAccountPage(config: Config, state: RecoveryState): Page {
  const { code, name, asksForFactor, problem } = state
  const least = config.security.min_password_length
  const fields = new FormFields({ form: formOfValues({ user_name: name }), problem })
  return {
    title: 'Set a new password',
    narrow: true,
    content: html`
<h1>Set a new password</h1>
<p class="lede">For the account ${name}.</p>
${fields.complaint}
<form class="sheet form" method="post" action="${basePath(config)}/user/recover_account">
<input type="hidden" name="code" value="${code}">
<input type="text" name="user_name" value="${name}" autocomplete="username" hidden>
${fields.text('password', 'New password', { type: 'password', autocomplete: 'new-password', hint: `At least ${least} characters.` })}
${fields.text('retype', 'New password again', { type: 'password', autocomplete: 'new-password' })}
${asksForFactor && fields.text('one_time_code', 'One-time code', { autocomplete: 'one-time-code', secret: true, hint: 'A recovery code does, too, also in place of a security key.' })}
<button class="button main" type="submit">Set password</button>
</form>`,
  }
}

export function linkOverPage(config: Config): Page {
  return {
    title: 'This link does not work any more',
    narrow: true,
    content: html`
<h1>This link does not work any more</h1>
<p class="lede">It was used, it is too old, or the password has changed since.</p>
<p><a class="button main" href="${basePath(config)}/user/forgot_password">Ask for another</a></p>`,
  }
}
