import { logRightsChange } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import type { Account } from '../users/account.ts'
import { assertOwnsNothing, holdOwnedBy } from '../users/removal.ts'
import { dropAccounts } from '../users/remove.ts'
import { holdOrganization } from './hold.ts'

/**
 * The one way an organization goes. What must be gone before it is asked here, while it is held.
 */
export async function removeOrganization(ctx: Context, org: Account): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await holdOrganization(ctx, tx, org.id)
    await holdOwnedBy(ctx, tx, [org.id])
    await assertOwnsNothing(ctx, tx, org.id)
    await dropAccounts(ctx, tx, [org.id])
  })
  logRightsChange(ctx.log, 'organization deleted', { organization: org.name })
}
