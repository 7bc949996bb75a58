import type { Caller, Context } from '../context.ts'
import type { Page, PageOf } from '../db/page.ts'
import type { RepositoryCondition } from '../repositories/conditions.ts'
import type { Repository } from '../repositories/repository.ts'
import { isPublicOfPublic, isVisibleRepository } from '../repositories/visibility.ts'
import { filtersOf, type Filters } from './conditions.ts'
import { searchRepositories } from './queries.ts'
import { totalOf } from './totals.ts'
import type { Wanted } from './wanted.ts'

/** A page of what the caller may see of what they asked for, and how much there is of it. */
export async function search(
  ctx: Context,
  caller: Caller,
  wanted: Wanted,
  page: Page,
): Promise<PageOf<Repository>> {
  const { forPage, forTotal } = await conditionsOf(ctx, caller, wanted)
  const countAll = () => totalOf(ctx, caller, wanted, isWide(caller, wanted), forTotal)
  return searchRepositories(ctx.db, wanted, forPage, page, countAll)
}

export async function conditionsOf(ctx: Context, caller: Caller, wanted: Wanted): Promise<Filters> {
  const wide = isWide(caller, wanted)
  const visible = visibleTo(ctx, caller, wanted, wide)
  const filters = await filtersOf(ctx.db, wanted, { wide, callerId: caller.account?.id ?? 0 })
  return {
    forPage: [...visible, ...filters.forPage],
    forTotal: [...visible, ...filters.forTotal],
  }
}

/** Whether private repositories come into question at all. */
function isWide(caller: Caller, { includePrivate }: Wanted): boolean {
  return caller.account !== undefined && includePrivate && !caller.publicOnly
}

/** Somebody who asks for their own sees all of it; a search that is not wide is of what is public to the world. */
function visibleTo(
  ctx: Context,
  caller: Caller,
  { accountId }: Wanted,
  wide: boolean,
): readonly RepositoryCondition[] {
  const visible = isVisibleRepository(ctx.config, caller)
  if (!wide) return [(eb) => isPublicOfPublic(eb), visible]
  return accountId === caller.account?.id ? [] : [visible]
}
