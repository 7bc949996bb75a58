import type { Relation } from '../../identity/followers/follow.ts'
import type { Account } from '../../identity/users/account.ts'
import { avatar } from '../avatar.ts'
import { renderRows } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { renderTabs } from '../organizations/tabs.ts'
import { personLink } from '../person.ts'
import type { PeoplePage } from '../people-page.ts'
import { besideProfile, type Around } from './owner.ts'
import { renderPager } from './pager.ts'

const words: Readonly<Record<Relation, { title: string; nobody: string }>> = {
  followers: { title: 'Followers', nobody: 'Nobody yet.' },
  following: { title: 'Following', nobody: 'Nobody yet.' },
}

/** Who follows somebody, or whom they follow. */
export async function relatedPeoplePage(
  look: Look,
  person: Account,
  around: Around,
  { relation, found, page }: PeoplePage,
): Promise<Page> {
  const { ctx, request } = look
  const { title, nobody } = words[relation]
  const rows = found.items.map((one) => ({
    title: html`${avatar(ctx.config, one, 24)} ${personLink(ctx.config, one)}`,
    about: one.fullName,
  }))
  return {
    title: `${title} · ${person.name}`,
    content: besideProfile(
      look,
      person,
      around,
      html`
${await renderTabs(look, person)}
<h2>${title}</h2>
${renderRows(rows, nobody)}
${renderPager(ctx.config, request, page, found.total)}`,
    ),
  }
}
