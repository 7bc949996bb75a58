import type { FastifyRequest } from 'fastify'
import { basePath, encodeSegment } from '../platform/config/urls.ts'
import { isSiteAdmin } from '../platform/context.ts'
import { mayCreate } from '../identity/organizations/create.ts'
import type { Account } from '../identity/users/account.ts'
import { avatar } from './avatar.ts'
import { html, type Html } from '../platform/html.ts'
import { icon, type IconName } from './icons.ts'
import type { Site } from './layout.ts'
import { themeOf, themes, type Theme } from './theme.ts'
import { MANY_UNREAD } from './viewer.ts'

/** What stands above every page. */
export function renderBar(site: Site, request: FastifyRequest): Html {
  const { config, assets } = site
  const root = basePath(config)
  const account = request.caller?.account
  return html`<header class="bar">
<a class="mark" href="${root}/"><img src="${root}/assets/${assets.icon.name}" alt="" width="20" height="20"><span>Codestead</span></a>
<form class="find" role="search" action="${root}/explore/repos">
<input type="search" name="q" value="${searchedFor(request)}" placeholder="Search repositories" aria-label="Search repositories" data-keys="/">
</form>
<a class="explore" href="${root}/explore/repos" data-keys="g e">Explore</a>
<div class="end">
${account ? renderAccount(site, request, account) : renderVisitor(site, request)}
</div>
</header>`
}

/** Where keys are listed by `?`; without script there is nothing to list. */
export function renderKeys(): Html {
  return html`<keyboard-shortcuts><dialog class="keys" aria-labelledby="keys-title">
<form method="dialog"><h2 id="keys-title">Keys</h2><button class="button">Close</button></form>
<dl></dl>
</dialog></keyboard-shortcuts>`
}

function renderAccount(site: Site, request: FastifyRequest, account: Account): Html {
  const { config } = site
  const root = basePath(config)
  return html`
<a class="button" href="${root}/repo/create" data-keys="c" data-keys-label="New repository">${icon('plus')}<span>New</span></a>
<a class="news" href="${root}/notifications" data-keys="g n" data-keys-label="Notifications" aria-label="Notifications${request.unread > 0 && `: ${unreadText(request)} unread`}">${icon('bell')}${request.unread > 0 && html`<b>${unreadText(request)}</b>`}</a>
<button class="opener" type="button" popovertarget="account-menu" aria-label="Account of ${account.name}">${avatar(config, account)}</button>
<div class="menu" id="account-menu" popover>
<p class="mute">Signed in as <b>${account.name}</b></p>
<a href="${root}/${encodeSegment(account.name)}" data-keys="g p" data-keys-label="Your page">Your page</a>
<a href="${root}/issues">Your issues</a>
<a href="${root}/pulls">Your pull requests</a>
<a href="${root}/user/settings">Settings</a>
${request.caller && isSiteAdmin(request.caller) && html`<a href="${root}/-/admin">Administration</a>`}
${request.caller && mayCreate(site, request.caller) && html`<a href="${root}/org/create">New organization</a>`}
${config.api.swagger && html`<a href="${root}/api/swagger">API</a>`}
${renderThemes(site, request)}
${request.caller?.credential.kind !== 'proxy' && html`<form method="post" action="${root}/user/logout"><button type="submit">Sign out</button></form>`}
</div>`
}

function unreadText({ unread }: FastifyRequest): string {
  return unread < MANY_UNREAD ? String(unread) : `${MANY_UNREAD - 1}+`
}

function renderVisitor(site: Site, request: FastifyRequest): Html {
  const root = basePath(site.config)
  // Who signs in need not come back there, and the address of the setup is a secret.
  const isOver = /^\/(?:user|setup)\b/.test(request.url)
  const back = isOver ? '' : `?redirect_to=${encodeURIComponent(addressOf(site, request))}`
  return html`
<button class="opener" type="button" popovertarget="theme-menu" aria-label="Theme">${icon(pictures[themeOf(request)])}</button>
<div class="menu" id="theme-menu" popover>${renderThemes(site, request)}</div>
<a class="button" href="${root}/user/login${back}">Sign in</a>`
}

const pictures: Record<Theme, IconName> = { light: 'sun', dark: 'moon', system: 'screen' }
const labels: Record<Theme, string> = { light: 'Light', dark: 'Dark', system: 'System' }

function renderThemes(site: Site, request: FastifyRequest): Html {
  const current = themeOf(request)
  const choice = (theme: Theme) =>
    html`<button name="theme" value="${theme}" aria-pressed="${String(theme === current)}">${icon(pictures[theme])}<span>${labels[theme]}</span></button>`
  return html`
<form class="themes" method="post" action="${basePath(site.config)}/user/theme" aria-label="Theme">
<input type="hidden" name="redirect_to" value="${addressOf(site, request)}">
${themes.map(choice)}
</form>`
}

/** Where a form leads back to: this page, or the start when it was a form itself. */
function addressOf({ config }: Site, { method, url }: FastifyRequest): string {
  return method === 'POST' ? `${basePath(config)}/` : basePath(config) + url
}

function searchedFor({ url, query }: FastifyRequest): string {
  const { q } = query as Readonly<Record<string, unknown>>
  return url.startsWith('/explore/repos') && typeof q === 'string' ? q : ''
}
