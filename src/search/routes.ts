import type { Caller, Context } from '../context.ts'
import type { Api } from '../http/api.ts'
import { presentRepository } from '../repositories/present.ts'
import type { RepositoryCondition } from '../repositories/conditions.ts'
import { viewRepositories } from '../repositories/view.ts'
import { isPublicOfPublic, isVisibleRepository } from '../repositories/visibility.ts'
import { filtersOf } from './conditions.ts'
import { searchRepositories } from './queries.ts'
import { repoSearch } from './schema.ts'
import { totalOf } from './totals.ts'
import { readWanted, type Wanted } from './wanted.ts'

export function searchRoutes(api: Api, ctx: Context): void {
  api.get('/repos/search', repoSearch, async (call) => {
    const { caller } = call
    const wanted = readWanted(call.query)
    const wide = isWide(caller, wanted)
    const filters = await filtersOf(ctx.db, wanted, { wide, callerId: caller.account?.id ?? 0 })
    const conditions = [...visibleTo(ctx, caller, wanted, wide), ...filters]
    const countAll = () => totalOf(ctx, caller, wanted, wide, conditions)
    const found = await searchRepositories(ctx.db, wanted, conditions, call.page, countAll)
    const views = await viewRepositories(ctx, caller, found.items)
    const data = views.map((view) => presentRepository(ctx.config, view, { language: true }))
    return call.listOf(found, { ok: true, data })
  })
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
