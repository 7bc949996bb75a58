import { basePath, encodeSegment } from '../platform/config/urls.ts'
import type { Account } from '../identity/users/account.ts'
import { html, type Html } from '../platform/html.ts'
import type { Page } from './layout.ts'
import type { Look } from './look.ts'
import { renderTabs, type Tab } from './organizations/tabs.ts'

interface InFrame {
  readonly tab: Tab
  readonly title: string
  readonly content: Html
}

/**
 * A page of a person or an organization for which there is all the width, with nothing beside it.
 */
export async function inOwnerFrame(
  look: Look,
  owner: Account,
  { tab, title, content }: InFrame,
): Promise<Page> {
  const home = `${basePath(look.ctx.config)}/${encodeSegment(owner.name)}`
  return {
    title: `${title} · ${owner.name}`,
    content: html`<h1><a href="${home}">${owner.name}</a></h1>
${await renderTabs(look, owner, tab)}
${content}`,
  }
}
