import { basePath } from '../../config/urls.ts'
import type { Account } from '../../users/account.ts'
import { html, type Html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import type { Listed } from '../repository-search.ts'
import { renderFound, renderSearch } from './explore.ts'

/** Where somebody begins who is signed in: what is theirs, and what they work on with others. */
export function dashboardPage(look: Look, { name, fullName }: Account, listed: Listed): Page {
  const root = basePath(look.ctx.config)
  const isEmpty = listed.total === 0 && listed.text === ''
  return {
    title: 'Start',
    content: html`
<h1>${fullName || name}</h1>
${
  isEmpty
    ? firstRepository(root)
    : html`
${renderSearch(look, `${root}/`, listed)}
${listed.total === 0 ? nothingFits(root, listed.text) : renderFound(look, listed, { withOwner: true })}`
}`,
  }
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
