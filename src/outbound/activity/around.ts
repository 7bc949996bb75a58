import type { Context, SignedInCaller } from '../../platform/context.ts'
import { actorsFor } from './actors.ts'
import { listAround, type AroundPage } from './around-queries.ts'
import { isReadableAnywhere } from './units.ts'

/**
 * What others do whom the caller follows, or in repositories that the caller has or watches. Newest
 * first.
 */
export async function listAroundFeed(
  ctx: Context,
  caller: SignedInCaller,
  page: { readonly cursor: string; readonly limit: number },
): Promise<AroundPage> {
  const filter = {
    accountId: caller.account.id,
    onlyPublic: caller.publicOnly,
    actors: actorsFor(caller),
    fits: isReadableAnywhere(ctx.config, caller),
  }
  return listAround(ctx.db, filter, page)
}
