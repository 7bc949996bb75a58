import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { listOwnRepositories, listRepositories, type ListFilter } from './queries.ts'
import { viewRepositories, type RepositoryView } from './view.ts'
import { isVisibleRepository } from './visibility.ts'
import { lacksSecondFactor } from '../../identity/users/second-factor.ts'

export type SeenFilter = Omit<ListFilter, 'visible'>

/** A page of the repositories that `filter` leaves over, among those that the caller may see. */
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

/** A page of what is the caller's own: owned, shared as a collaborator, or through a team. */
export async function listOwn(
  ctx: Context,
  caller: SignedInCaller,
  page: Page,
): Promise<PageOf<RepositoryView>> {
  if (lacksSecondFactor(ctx, caller)) return { items: [], total: 0 }
  const part = { ...page, onlyPublic: caller.publicOnly }
  const found = await listOwnRepositories(ctx.db, caller.account.id, part)
  return { ...found, items: await viewRepositories(ctx, caller, found.items) }
}
