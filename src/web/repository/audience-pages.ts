import { assertStars, peopleWho } from '../../repositories/stars-and-watches/stars-and-watches.ts'
import { readPage } from '../../platform/http/paging.ts'
import { listSeen } from '../../repositories/repository/list-seen.ts'
import { avatar } from '../avatar.ts'
import { renderRows } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { renderRepositories } from '../pages/repository-list.ts'
import { personLink } from '../person.ts'
import type { InShell } from './shell.ts'
import type { Show, Visit } from './visit.ts'

/** Who has starred a repository, as far as the viewer may see them. */
export const showStars: Show = async (visit) => {
  assertStars(visit.ctx)
  return showPeople(visit, 'star', 'Stars', 'Nobody has starred it yet.')
}

export const showWatchers: Show = async (visit) =>
  showPeople(visit, 'watch', 'Watchers', 'Nobody watches it.')

async function showPeople(
  { ctx, viewer, view, query, request }: Visit,
  mark: 'star' | 'watch',
  title: string,
  nobody: string,
): Promise<InShell> {
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await peopleWho(ctx, viewer, mark, view.repo, page)
  const rows = items.map((one) => ({
    title: html`${avatar(ctx.config, one, 24)} ${personLink(ctx.config, one)}`,
    about: one.fullName,
  }))
  return {
    tab: undefined,
    title,
    content: html`<h2>${title}</h2>
${renderRows(rows, nobody)}
${renderPager(ctx.config, request, page, total)}`,
  }
}

/** The forks of a repository that the viewer may see. */
export const showForks: Show = async ({ ctx, viewer, view, query, request }) => {
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const filter = { forksOf: view.repo.id, order: 'id' } as const
  const { items: forks, total } = await listSeen(ctx, viewer, filter, page)
  return {
    tab: undefined,
    title: 'Forks',
    content: html`<h2>Forks</h2>
${total === 0 ? html`<p class="sheet notice mute">Nobody has forked it yet.</p>` : renderRepositories(ctx, forks, { withOwner: true })}
${renderPager(ctx.config, request, page, total)}`,
  }
}
