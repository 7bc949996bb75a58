import { basePath } from '../../config/urls.ts'
import type { Account } from '../../users/account.ts'
import { latelyAddress, type Lately } from '../dashboard-feed.ts'
import { html, type Html, type Part } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import type { Listed } from '../repository-search.ts'
import { renderFound, renderSearch } from './explore.ts'

/** Where somebody begins who is signed in: what is theirs, what they work on with others, and what happened. */
export function dashboardPage(
  look: Look,
  { name, fullName }: Account,
  listed: Listed,
  lately: Lately,
): Page {
  const root = basePath(look.ctx.config)
  const isEmpty = listed.total === 0 && listed.text === ''
  return {
    title: 'Start',
    content: html`
<h1>${fullName || name}</h1>
<div class="dashboard">
<div>
${isEmpty ? firstRepository(root) : renderSearch(look, `${root}/`, listed, keptView(lately))}
${!isEmpty && (listed.total === 0 ? nothingFits(root, listed.text) : renderFound(look, listed, { withOwner: true }))}
</div>
<aside id="lately">
<div class="row"><h2>Lately</h2>${renderViews(look, lately)}</div>
${lately.lines}
${lately.more && html`<p><a class="button" href="${lately.more.address}">${lately.more.label}</a></p>`}
</aside>
</div>`,
  }
}

function keptView({ of }: Lately): Part {
  return of === 'others' && html`<input type="hidden" name="feed" value="${of}">`
}

function renderViews(look: Look, { of }: Lately): Html {
  const link = (view: Lately['of'], label: string) =>
    html`<a href="${latelyAddress(look, view)}"${view === of && html` aria-current="true"`}>${label}</a>`
  return html`<nav class="states end" aria-label="Lately">${link('self', 'You')}${link('others', 'Others')}</nav>`
}

function firstRepository(root: string): Html {
  return html`
<section class="sheet empty">
<h2>You have no repository yet</h2>
<p class="mute">Here you will find yours, and those on which you work with others.</p>
<p><a class="button main" href="${root}/repo/create">Create one</a> <a class="button" href="${root}/explore/repos">Explore</a></p>
</section>`
}

function nothingFits(root: string, text: string): Html {
  return html`
<section class="sheet empty">
<h2>Nothing of yours fits “${text}”</h2>
<p class="mute"><a href="${root}/explore/repos?q=${encodeURIComponent(text)}">Search everywhere</a></p>
</section>`
}
