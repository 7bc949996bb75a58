import type { Caller, Context } from '../context.ts'
import type { Page, PageOf } from '../db/page.ts'
import { listRepositories, type ListFilter } from './queries.ts'
import { viewRepositories, type RepositoryView } from './view.ts'
import { isVisibleRepository } from './visibility.ts'

export type SeenFilter = Omit<ListFilter, 'visible'> & Partial<Pick<ListFilter, 'visible'>>

/** A page of the repositories that `filter` leaves over, among those that the caller may see unless it says otherwise. */
export async function listSeen(
  ctx: Context,
  caller: Caller,
  filter: SeenFilter,
  page: Page,
): Promise<PageOf<RepositoryView>> {
  const visible = isVisibleRepository(ctx.config, caller)
  const found = await listRepositories(ctx.db, { visible, ...filter }, page)
  return { ...found, items: await viewRepositories(ctx, caller, found.items) }
}
