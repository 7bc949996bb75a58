import { scopeCategories, type Scopes } from '../../identity/auth/scopes.ts'
import type { Config } from '../../platform/config/config.ts'
import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Wish } from '../../identity/oauth2-server/authorize.ts'
import { scopesOf, tells, type IdentityScope } from '../../identity/oauth2-server/scope.ts'
import type { Account } from '../../identity/users/account.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import { scopeLabels } from '../scope-labels.ts'

export interface Question {
  readonly wish: Wish
  /** What it was read from, for the answer. */
  readonly asked: URLSearchParams
  readonly account: Account
  /** Who has registered the application; nobody where it comes with the server. */
  readonly owner: Account | undefined
  /** Where the browser is led then. */
  readonly site: string
  readonly action: string
}

/** Somebody is told who asks for what, and says yes or no. */
export function consentPage(config: Config, question: Question): Page {
  const { wish, asked, account, owner, site, action } = question
  const { name } = wish.client
  const root = basePath(config)
  return {
    title: `Authorize ${name}`,
    narrow: true,
    leadsOutTo: site,
    content: html`
<h1>Authorize ${name}?</h1>
<p class="lede">${owner ? html`An application of <a href="${root}/${encodeSegment(owner.name)}">${owner.name}</a>` : 'A program on your machine'} asks to act for you, ${account.name}. It may then, until you withdraw this in your settings:</p>
<ul class="sheet notice plain">${rightsOf(wish.scope).map((right) => html`<li>${right}</li>`)}</ul>
<p>You will be led to <b>${site}</b>.</p>
<form method="post" action="${root}${action}">
${[...asked].filter(([field]) => field !== 'decision').map(renderHidden)}
<button class="button main" name="decision" value="agree">Authorize</button>
<button class="button" name="decision" value="refuse">Cancel</button>
</form>`,
  }
}

function renderHidden([name, value]: [string, string]): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** In words, the most first. */
export function rightsOf(scope: string): readonly string[] {
  return [...apiRights(scopesOf(scope)), ...identityRights(scope)]
}

function apiRights({ levels, publicOnly }: Scopes): readonly string[] {
  const limit = publicOnly ? ', where that is public' : ''
  if (scopeCategories.every((category) => levels.get(category) === 'write')) {
    return [`Do everything that you may do${limit}`]
  }
  const named = (level: 'read' | 'write') =>
    scopeCategories
      .filter((category) => levels.get(category) === level)
      .map((category) => scopeLabels[category])
  const line = (words: string, labels: readonly string[]) =>
    labels.length === 0 ? [] : [`${words}: ${labels.join(', ')}${limit}`]
  return [...line('Read and change', named('write')), ...line('Read', named('read'))]
}

const identityLabels: Readonly<Record<Exclude<IdentityScope, 'openid'>, string>> = {
  profile: 'your name and picture',
  email: 'your e-mail address',
  groups: 'your organizations and teams',
}

function identityRights(scope: string): readonly string[] {
  const known = Object.entries(identityLabels) as [IdentityScope, string][]
  const told = known.filter(([word]) => tells(scope, word)).map(([, label]) => label)
  if (told.length > 0) return [`Know ${told.join(', ')}`]
  return tells(scope, 'openid') ? ['Know who you are'] : []
}
