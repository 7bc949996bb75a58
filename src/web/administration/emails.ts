import { findAddresses, type OwnedAddress } from '../../identity/users/everybody.ts'
import { counted } from '../figures.ts'
import type { SettingsRow } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { listPage, readAsked } from './list.ts'
import { adminPath } from './section.ts'

/** The addresses of all people. */
export async function showEmails(look: SignedInLook): Promise<Page> {
  const { page, text } = readAsked(look)
  const { items, total } = await findAddresses(look.ctx, text, page)
  return listPage(look, 'emails', {
    heading: 'E-mail addresses',
    find: 'Address or name',
    text,
    rows: items.map((address) => renderAddress(look, address)),
    page,
    total,
    counted: counted(total, 'address', 'addresses'),
  })
}

function renderAddress(look: Look, { address, accountName, ...is }: OwnedAddress): SettingsRow {
  return {
    title: html`${address}${is.isPrimary && html` <span class="tag">Primary</span>`}${!is.isActivated && html` <span class="tag">Not confirmed</span>`}`,
    about: html`of <a href="${adminPath(look, 'users', accountName)}">${accountName}</a>`,
  }
}
