import { listAccountFeed, placesOf } from '../../activity/feed.ts'
import { basePath } from '../../config/urls.ts'
import type { Refer } from '../../markup/references.ts'
import type { Account } from '../../users/account.ts'
import { html, type Html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { loadFeedReferences, renderActivity, type Happened } from '../repository/activity-line.ts'
import { homeOf } from '../repository/visit.ts'
import type { Listed } from '../repository-search.ts'
import { renderFound, renderSearch } from './explore.ts'

const FEED_LINES = 20

export interface FeedLine extends Happened {
  /** Where what is said in it leads. */
  readonly refer: Refer
}

/** What they did lately. */
export async function loadFeed(
  { ctx, viewer }: Look,
  account: Account,
): Promise<readonly FeedLine[]> {
  const page = { number: 1, limit: FEED_LINES, offset: 0 }
  const { items } = await listAccountFeed(ctx, viewer, account, undefined, page)
  const places = await placesOf(ctx, viewer, items)
  const lines = items.flatMap((activity) => {
    const view = places.get(activity.repositoryId)
    return view ? [{ activity, view }] : []
  })
  const referIn = await loadFeedReferences(ctx, viewer, lines)
  return lines.map((line) => ({ ...line, refer: referIn(line.view) }))
}

/** Where somebody begins who is signed in: what is theirs, what they work on with others, and what they did. */
export function dashboardPage(
  look: Look,
  { name, fullName }: Account,
  listed: Listed,
  feed: readonly FeedLine[],
): Page {
  const root = basePath(look.ctx.config)
  const isEmpty = listed.total === 0 && listed.text === ''
  return {
    title: 'Start',
    content: html`
<h1>${fullName || name}</h1>
<div class="dashboard">
<div>
${isEmpty ? firstRepository(root) : renderSearch(look, `${root}/`, listed)}
${!isEmpty && (listed.total === 0 ? nothingFits(root, listed.text) : renderFound(look, listed, { withOwner: true }))}
</div>
<aside>
<h2>Lately</h2>
${feed.length === 0 ? html`<p class="mute">What you do is told here.</p>` : html`<ul class="entries">${feed.map((line) => renderLine(look, line))}</ul>`}
</aside>
</div>`,
  }
}

function renderLine({ ctx }: Look, { activity, view, refer }: FeedLine): Html {
  const home = homeOf(ctx, view)
  const where = html` · <a href="${home}">${view.owner.name}/${view.repo.name}</a>`
  return renderActivity({ ctx, home, refer }, activity, where)
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
