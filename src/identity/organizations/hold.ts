import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { countOwners, organizationExists } from './queries.ts'

/**
 * Until the transaction ends nobody else changes the teams and members of the organization, or
 * deletes it.
 */
export async function holdOrganization(ctx: Context, tx: Executor, orgId: number): Promise<void> {
  await lock(ctx.db.dialect, tx, 'organization', orgId)
  if (!(await organizationExists(tx, orgId))) throw notFound()
}

/**
 * Until the transaction ends the person comes into no organization and is not deleted: one that
 * they alone own would be left to nobody. Whoever holds an organization as well does so afterwards.
 */
export async function holdMemberships(
  ctx: Context,
  tx: Executor,
  accountId: number,
): Promise<void> {
  await lock(ctx.db.dialect, tx, 'memberships', accountId)
}

/**
 * An organization without owners could not get one back. Only a caller who holds it may rely on the
 * count.
 */
export async function assertOwnerLeft(tx: Executor, orgId: number): Promise<void> {
  if ((await countOwners(tx, orgId)) === 0) {
    throw invalid('the last owner of an organization cannot be removed', { reason: 'last_owner' })
  }
}
