import type { Page as PageRange } from '../../platform/db/page.ts'
import { readPage } from '../../platform/http/paging.ts'
import { renderRows, type SettingsRow } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { adminPath, inSection, type Section } from './section.ts'

/** Which part of a list is asked for, and what is looked for in it. */
export function readAsked({ ctx, query }: Look): {
  readonly page: PageRange
  readonly text: string
} {
  const { number, limit, offset } = readPage(ctx.config, query)
  return { page: { number, limit, offset }, text: query.text('q')?.trim() ?? '' }
}

export interface AdminList {
  readonly heading: string
  /** What can be looked for. */
  readonly find: string
  readonly text: string
  /** More to choose by, beside the text. */
  readonly choices?: Html
  /** What stands above the list. */
  readonly above?: Html
  readonly rows: readonly SettingsRow[]
  /** Said where there is no row. */
  readonly none?: string
  readonly page: PageRange
  readonly total: number
  readonly counted: string
}

/** A page with all of a kind that the server has. */
export function listPage(look: Look, section: Section, list: AdminList): Page {
  const { heading, find, text, choices, above, rows, none = 'There is none.' } = list
  const content = html`
<h2>${heading}</h2>
${above}
<form class="filter" action="${adminPath(look, section)}" role="search" aria-label="This list">
<input type="search" name="q" value="${text}" placeholder="${find}" aria-label="${find}">
${choices}<button class="button" type="submit">Search</button>
</form>
<p class="mute">${list.counted}</p>
${renderRows(rows, none)}
${renderPager(look.ctx.config, look.request, list.page, list.total)}`
  return inSection(look, section, content)
}
