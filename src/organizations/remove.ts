import type { Context } from '../context.ts'
import type { Account } from '../users/account.ts'
import { holdOrganization } from './hold.ts'
import { deleteOrganization } from './queries.ts'

/** The one way an organization goes. What must be gone before it is asked here, while it is held. */
export async function removeOrganization(ctx: Context, org: Account): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await holdOrganization(ctx, tx, org.id)
    await deleteOrganization(tx, org.id)
  })
}
