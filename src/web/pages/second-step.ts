import type { Config } from '../../platform/config/config.ts'
import { basePath } from '../../platform/config/urls.ts'
import type { Account } from '../../identity/users/account.ts'
import { FormFields } from '../forms/fields.ts'
import { renderKeyPrompt } from '../forms/second-factor.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

export interface SecondStepState {
  readonly account: Account
  /** Where to go then; a path of this server. */
  readonly redirectTo: string
  readonly problem?: string
  /** Another site to which that leads on. */
  readonly leadsOutTo?: string | undefined
}

/** After the password, or the word of an OpenID provider: the key, or a code in its place. */
export function secondStepPage(config: Config, state: SecondStepState): Page {
  const { account, redirectTo, problem, leadsOutTo } = state
  const fields = new FormFields({
    form: new URLSearchParams(),
    problem: problem === undefined ? undefined : { message: problem },
  })
  const action = `${basePath(config)}/user/login/second-factor`
  const isApp = account.totpSecret !== ''
  const hint = isApp ? 'From your authenticator app. A recovery code does, too.' : undefined
  const target = html`<input type="hidden" name="redirect_to" value="${redirectTo}">`
  return {
    title: 'Sign in',
    narrow: true,
    leadsOutTo,
    content: html`
<h1>Sign in</h1>
<p class="lede">So far all is right, ${account.name}. Now show your second factor.</p>
${fields.complaint}
<div class="ways">
${
  account.securityKeys > 0 &&
  html`<form class="sheet form" method="post" action="${action}">
${target}
${renderKeyPrompt({ question: `${action}/question`, button: 'Use your security key' })}
</form>`
}
<form class="sheet form" method="post" action="${action}">
${target}
${fields.text('one_time_code', isApp ? 'One-time code' : 'Recovery code', { autocomplete: 'one-time-code', secret: true, ...(hint !== undefined && { hint }) })}
<button class="button" type="submit">Sign in with the code</button>
</form>
</div>`,
  }
}
