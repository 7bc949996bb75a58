import type { Config } from '../../platform/config/config.ts'
import { basePath } from '../../platform/config/urls.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

/** After signing up, and for those whose mail did not come. */
export function awaitMailPage(config: Config, state: FormState): Page {
  const fields = new FormFields(state)
  return {
    title: 'Confirm your address',
    narrow: true,
    content: html`
<h1>Confirm your address</h1>
<p class="lede">We have sent a mail to the address of your account. The link in it works for a day. Once you have used it, you can sign in.</p>
<h2>No mail?</h2>
${fields.complaint}
<form class="sheet form" method="post" action="${basePath(config)}/user/activate/resend">
${fields.text('email', 'E-mail', { type: 'email', autocomplete: 'email' })}
<button class="button" type="submit">Send it again</button>
</form>`,
  }
}

/** Does not tell whether anybody has the address. */
export function mailedAgainPage(): Page {
  return {
    title: 'Look into your mail',
    narrow: true,
    content: html`
<h1>Look into your mail</h1>
<p class="lede">If this address waits to be confirmed, a mail with a link is on its way there.</p>`,
  }
}

/** What reads mail before people do follows links, but presses no buttons. */
export function confirmPage(
  config: Config,
  { code, name, address }: { code: string; name: string; address: string },
): Page {
  return {
    title: 'Confirm your address',
    narrow: true,
    content: html`
<h1>Confirm your address</h1>
<p class="lede">${address} is to be an address of the account ${name}. If this is not your account, leave it.</p>
<form class="sheet form" method="post" action="${basePath(config)}/user/activate">
<input type="hidden" name="code" value="${code}">
<button class="button main" type="submit">Confirm</button>
</form>`,
  }
}

export function confirmedPage(config: Config): Page {
  return {
    title: 'Your address is confirmed',
    narrow: true,
    content: html`
<h1>Your address is confirmed</h1>
<p><a class="button main" href="${basePath(config)}/user/login">Go on</a></p>`,
  }
}

export function confirmationOverPage(config: Config): Page {
  return {
    title: 'This link does not work any more',
    narrow: true,
    content: html`
<h1>This link does not work any more</h1>
<p class="lede">It was used, or it is too old.</p>
<p><a class="button main" href="${basePath(config)}/user/activate">Ask for another</a></p>`,
  }
}
