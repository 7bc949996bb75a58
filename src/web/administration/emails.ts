import { readPage } from '../../http/paging.ts'
import { findAddresses, type OwnedAddress } from '../../users/everybody.ts'
import { counted } from '../figures.ts'
import { renderRows, type SettingsRow } from '../forms/settings.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { adminPath, inSection } from './section.ts'

/** The addresses of all people. */
export async function showEmails(look: SignedInLook): Promise<Page> {
  const { ctx, query, request } = look
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const text = query.text('q')?.trim() ?? ''
  const { items, total } = await findAddresses(ctx, text, page)
  return inSection(
    look,
    'emails',
    html`
<h2>E-mail addresses</h2>
<form class="filter" action="${adminPath(look, 'emails')}" role="search" aria-label="This list">
<input type="search" name="q" value="${text}" placeholder="Address or name" aria-label="Address or name">
<button class="button" type="submit">Search</button>
</form>
<p class="mute">${counted(total, 'address', 'addresses')}</p>
${renderRows(
  items.map((address) => renderAddress(look, address)),
  'There is none.',
)}
${renderPager(ctx.config, request, page, total)}`,
  )
}

function renderAddress(look: Look, { address, accountName, ...is }: OwnedAddress): SettingsRow {
  return {
    title: html`${address}${is.isPrimary && html` <span class="tag">Primary</span>`}${!is.isActivated && html` <span class="tag">Not confirmed</span>`}`,
    about: html`of <a href="${adminPath(look, 'users', accountName)}">${accountName}</a>`,
  }
}
