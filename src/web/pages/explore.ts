import { basePath } from '../../platform/config/urls.ts'
import type { Sort } from '../../repositories/search/wanted.ts'
import { counted } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import type { Listed } from '../repository-search.ts'
import { explorePath, exploreTitle, renderExploreTabs } from './explore-tabs.ts'
import { renderPager } from './pager.ts'
import { renderRepositories } from './repository-list.ts'

const orders: Partial<Record<Sort, string>> = {
  relevance: 'Best match',
  updated: 'Recently updated',
  created: 'Newest',
  stars: 'Most stars',
  forks: 'Most forks',
  alpha: 'Name',
}

export function explorePage(look: Look, listed: Listed): Page {
  return {
    title: exploreTitle(listed.text, 'repos'),
    content: html`
<h1>Explore</h1>
${renderExploreTabs(look, listed.text, 'repos')}
${renderSearch(look, explorePath(look, 'repos'), listed)}
${listed.total === 0 ? renderNothing(look, listed) : renderFound(look, listed, { withOwner: true })}`,
  }
}

/**
 * A field for words and one for the order, which stay when a page is turned. `kept` goes along
 * unseen.
 */
export function renderSearch(
  { query }: Look,
  action: string,
  { text, sort }: Listed,
  kept?: Part,
): Html {
  const option = ([value, label]: [string, string]) =>
    html`<option value="${value}"${value === sort && html` selected`}>${label}</option>`
  return html`
<form class="filter" action="${action}" role="search" aria-label="This list">
<input type="search" name="q" value="${text}" placeholder="Find a repository" aria-label="Find a repository">
${query.boolean('topic') && html`<input type="hidden" name="topic" value="1">`}
${kept}
<select name="sort" aria-label="Order">${Object.entries(orders).map(option)}</select>
<button class="button" type="submit">Search</button>
</form>`
}

export function renderFound(
  { ctx, request }: Look,
  { items, total, page }: Listed,
  options: { readonly withOwner: boolean },
): Html {
  return html`
<p class="mute">${counted(total, 'repository', 'repositories')}</p>
${renderRepositories(ctx, items, options)}
${renderPager(ctx.config, request, page, total)}`
}

function renderNothing({ ctx, viewer }: Look, { text }: Listed): Html {
  const root = basePath(ctx.config)
  if (text !== '') {
    return html`
<section class="sheet empty">
<h2>Nothing fits “${text}”</h2>
<p class="mute">Names and descriptions are searched. Try fewer letters, or <a href="${root}/explore/repos">look at everything</a>.</p>
</section>`
  }
  return html`
<section class="sheet empty">
<h2>There is no repository yet</h2>
<p class="mute">Here everybody finds what may be seen.</p>
<p>${viewer.account ? html`<a class="button main" href="${root}/repo/create">Create the first one</a>` : html`<a class="button" href="${root}/user/login">Sign in</a>`}</p>
</section>`
}
