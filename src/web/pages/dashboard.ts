import { basePath } from '../../platform/config/urls.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { latelyAddress, type Lately } from '../dashboard-feed.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { personLink } from '../person.ts'
import { homeOf } from '../repository/visit.ts'
import type { Listed } from '../repository-search.ts'
import { renderFound, renderSearch } from './explore.ts'

interface Begun {
  readonly listed: Listed
  readonly lately: Lately
  /** Repositories that wait for an answer. */
  readonly offers: readonly RepositoryView[]
}

/**
 * Where somebody begins who is signed in: what is theirs, what they work on with others, and what
 * happened.
 */
export function dashboardPage(
  look: Look,
  { name, fullName }: Account,
  { listed, lately, offers }: Begun,
): Page {
  const root = basePath(look.ctx.config)
  const isEmpty = listed.total === 0 && listed.text === ''
  return {
    title: 'Start',
    content: html`
<h1>${fullName || name}</h1>
${offers.length > 0 && renderOffers(look, offers)}
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

function renderOffers({ ctx }: Look, offers: readonly RepositoryView[]): Html {
  return html`<section class="sheet notice" id="offers" aria-label="Repositories that are offered to you">
${offers.map((view) => html`<p>${view.transfer && personLink(ctx.config, view.transfer.offeredBy)} offers <a href="${homeOf(ctx, view)}/transfer">${view.owner.name}/${view.repo.name}</a> to ${view.transfer && personLink(ctx.config, view.transfer.recipient)}.</p>`)}</section>`
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
