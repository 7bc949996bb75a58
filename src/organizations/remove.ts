import { logRightsChange } from '../audit.ts'
import type { Context } from '../context.ts'
import type { Account } from '../users/account.ts'
import { assertNoPackages, dropAccounts } from '../users/remove.ts'
import { invalid } from '../errors.ts'
import { holdPackages } from '../packages/packages.ts'
import { ownsRepositories } from '../repositories/owners.ts'
import { holdOrganization } from './hold.ts'

/** The one way an organization goes. What must be gone before it is asked here, while it is held. */
export async function removeOrganization(ctx: Context, org: Account): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await holdOrganization(ctx, tx, org.id)
    await holdPackages(ctx, tx, [org.id])
    if (await ownsRepositories(tx, org.id)) {
      throw invalid(`user still has ownership of repositories [uid: ${org.id}]`, {
        reason: 'still_has_repositories',
      })
    }
    await assertNoPackages(tx, org.id)
    await dropAccounts(ctx, tx, [org.id])
  })
  logRightsChange(ctx.log, 'organization deleted', { organization: org.name })
}
