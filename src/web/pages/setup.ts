import type { Config } from '../../platform/config/config.ts'
import { apiUrl, basePath, baseUrl } from '../../platform/config/urls.ts'
import type { Account } from '../../identity/users/account.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

/** The form for the first administrator. */
export function setupPage(config: Config, path: string, state: FormState): Page {
  const least = config.security.min_password_length
  const fields = new FormFields(state)
  return {
    title: 'Create the first administrator',
    narrow: true,
    content: html`
<h1>Create the first administrator</h1>
<p class="lede">This server has no account yet. Whoever fills in this form runs it: the link works once.</p>
${fields.complaint}
<form class="sheet form" method="post" action="${basePath(config)}${path}">
${fields.text('username', 'Name', { autocomplete: 'username', hint: 'Part of the addresses of your repositories.' })}
${fields.text('email', 'E-mail', { type: 'email', autocomplete: 'email' })}
${fields.text('password', 'Password', { type: 'password', autocomplete: 'new-password', hint: `At least ${least} characters.` })}
${fields.text('password_again', 'Password again', { type: 'password', autocomplete: 'new-password' })}
<button class="button main" type="submit">Create administrator</button>
</form>`,
  }
}

/** What to do with a new account. */
export function setupDonePage(config: Config, { name }: Account): Page {
  const token = [
    `curl -u ${name} ${apiUrl(config)}/users/${name}/tokens \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"name": "first", "scopes": ["all"]}'`,
  ].join('\n')
  const call = `curl -H "Authorization: token $TOKEN" ${apiUrl(config)}/user`
  return {
    title: 'The server is yours',
    narrow: true,
    content: html`
<h1>The server is yours</h1>
<p class="lede"><b>${name}</b> is its first administrator. The link that brought you here works no longer.</p>
<h2>Make an access token</h2>
<p>Programs call with a token instead of your password. This asks for the password and answers with the token, in <code>sha1</code>:</p>
<pre tabindex="0"><code>${token}</code></pre>
<h2>Make the first call</h2>
<p>With the token in place of <code>$TOKEN</code>, the server tells who you are:</p>
<pre tabindex="0"><code>${call}</code></pre>
${config.api.swagger && html`<p><a class="button main" href="${basePath(config)}/api/swagger">Read what else it can do</a></p>`}`,
  }
}

/** The link was right once. */
export function setupOverPage(config: Config): Page {
  return {
    title: 'This link has been used',
    narrow: true,
    content: html`
<h1>This link has been used</h1>
<p class="lede">The server has its first account, so nobody can create it again.</p>
<p>More accounts are made by an administrator, through the API or with the command
<code>npm run admin -- user create</code>.</p>
<p><a class="button" href="${basePath(config)}/">To the start</a></p>`,
  }
}

export function blockedPage(config: Config): Page {
  return {
    title: 'Cross-origin request blocked',
    narrow: true,
    content: html`
<h1>Cross-origin request blocked</h1>
<p class="lede">The form was not sent from a page of this server, or under another address than its own.</p>
<p>Its address is <code>${baseUrl(config)}</code>. If you reach it under another one, set
<code>server.url</code> to that and start it again.</p>`,
  }
}
