import type { Caller, Context } from '../../platform/context.ts'
import type { Page as ListPage, PageOf } from '../../platform/db/page.ts'
import { readPage } from '../../platform/http/paging.ts'
import type { Account } from '../../identity/users/account.ts'
import type { AccountOrder } from '../../identity/users/order.ts'
import { avatar } from '../avatar.ts'
import { counted, timeAgo } from '../figures.ts'
import { renderChoices } from '../forms/fields.ts'
import { renderRows, type SettingsRow } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { personLink } from '../person.ts'
import { explorePath, exploreTitle, renderExploreTabs } from './explore-tabs.ts'
import { renderPager } from './pager.ts'

type AccountTab = 'users' | 'organizations'

type Explore = (
  ctx: Context,
  viewer: Caller,
  wanted: { readonly text: string; readonly order: AccountOrder },
  page: ListPage,
) => Promise<PageOf<Account>>

const words = {
  users: { one: 'person', many: 'people', find: 'Find a person', none: 'There is nobody to see.' },
  organizations: {
    one: 'organization',
    many: 'organizations',
    find: 'Find an organization',
    none: 'There is no organization to see.',
  },
} as const

const orders = [
  { value: 'newest', label: 'Newest' },
  { value: 'name', label: 'Name' },
] as const

/** The people or the organizations whom the viewer may see. */
export async function accountsPage(look: Look, tab: AccountTab, explore: Explore): Promise<Page> {
  const { ctx, viewer, query, request } = look
  const { one, many, none } = words[tab]
  const text = (query.text('q') ?? '').trim()
  const order = orders.find(({ value }) => value === query.text('sort'))?.value ?? 'newest'
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await explore(ctx, viewer, { text, order }, page)
  return {
    title: exploreTitle(text, tab),
    content: html`
<h1>Explore</h1>
${renderExploreTabs(look, text, tab)}
${renderSearch(look, tab, text, order)}
<p class="mute">${counted(total, one, many)}</p>
${renderRows(
  items.map((account) => renderAccount(look, account)),
  text === '' ? none : `Nothing fits “${text}”.`,
)}
${renderPager(ctx.config, request, page, total)}`,
  }
}

function renderSearch(look: Look, tab: AccountTab, text: string, order: AccountOrder): Html {
  const { find } = words[tab]
  return html`
<form class="filter" action="${explorePath(look, tab)}" role="search" aria-label="This list">
<input type="search" name="q" value="${text}" placeholder="${find}" aria-label="${find}">
<select name="sort" aria-label="Order">${renderChoices(orders, order)}</select>
<button class="button" type="submit">Search</button>
</form>`
}

function renderAccount({ ctx }: Look, account: Account): SettingsRow {
  const { fullName, description, visibility, createdAt } = account
  const said = [fullName, description].filter((part) => part !== '').map((part) => `${part} · `)
  return {
    title: html`${avatar(ctx.config, account, 24)} ${personLink(ctx.config, account)}${visibility !== 'public' && html` <span class="tag">${visibility === 'limited' ? 'Limited' : 'Private'}</span>`}`,
    about: html`${said.join('')}joined ${timeAgo(ctx.now(), createdAt)}`,
  }
}
