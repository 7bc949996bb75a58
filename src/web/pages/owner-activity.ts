import { listAccountFeed } from '../../outbound/activity/feed.ts'
import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Account } from '../../identity/users/account.ts'
import { renderFeed } from '../feed.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { renderTabs } from '../organizations/tabs.ts'
import { pageOf } from '../repository/page-number.ts'
import { renderNewsLinks } from '../syndication/links.ts'
import { besideProfile, type Around } from './owner.ts'
import { renderPager } from './pager.ts'

const PER_PAGE = 30

/**
 * What somebody did, or what happened in the repositories of an organization, as far as the viewer
 * may know.
 */
export async function ownerActivityPage(look: Look, owner: Account, around: Around): Promise<Page> {
  const { ctx, viewer, query, request } = look
  const page = pageOf(query, PER_PAGE)
  const path = `${basePath(ctx.config)}/${encodeSegment(owner.name)}`
  const { items, total } = await listAccountFeed(ctx, viewer, owner, undefined, page)
  const none = html`<p class="blank">There is no activity to see.</p>`
  const content = html`
${await renderTabs(look, owner, 'activity')}
<section class="sheet" aria-label="Activity">${await renderFeed(look, items, none)}</section>
${renderPager(ctx.config, request, page, total)}
${renderNewsLinks(path)}`
  return {
    title: `Activity · ${owner.name}`,
    newsOf: path,
    content: besideProfile(look, owner, around, content),
  }
}
