import type { Caller, Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { Account } from '../users/account.ts'
import { assertMayExplore } from '../users/explore.ts'
import { isVisibleTo } from '../users/visibility.ts'
import { listOrganizations, type OrganizationFilter } from './queries.ts'

/** The organizations that the caller finds: of a restricted one, its own. */
export async function exploreOrganizations(
  ctx: Context,
  caller: Caller,
  wanted: Pick<OrganizationFilter, 'text' | 'order'>,
  page: Page,
): Promise<PageOf<Account>> {
  assertMayExplore(ctx, caller)
  const { account } = caller
  const isKeptToOwn = account?.isRestricted === true && !account.isAdmin
  const memberId = isKeptToOwn ? account.id : undefined
  return listOrganizations(
    ctx.db,
    { ...wanted, visible: isVisibleTo(ctx.config, caller), memberId },
    page,
  )
}
