import type { Caller, Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { AppError } from '../../platform/errors.ts'
import type { Account } from './account.ts'
import { searchPeople, type WantedPeople } from './queries.ts'
import { isListedFor } from './visibility.ts'

export function assertMayExplore({ config }: Context, { account }: Caller): void {
  if (account) return
  const closed = config.users.explore_requires_sign_in || config.security.require_sign_in === 'true'
  if (closed) throw new AppError('unauthenticated', 'you must be signed in to search for users')
}

/**
 * The people whom the caller finds; who is not active yet, or no longer, is left to administrators.
 */
export async function explorePeople(
  ctx: Context,
  caller: Caller,
  wanted: Pick<WantedPeople, 'text' | 'order'>,
  page: Page,
): Promise<PageOf<Account>> {
  assertMayExplore(ctx, caller)
  const visible = isListedFor(ctx.config, caller)
  return searchPeople(ctx.db, caller, { ...wanted, visible, isActive: true }, page)
}
