import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { invalid } from '../../platform/errors.ts'
import type { Account } from './account.ts'
import { insertReservations, isReserved } from './reservation-queries.ts'

const DAY_SECONDS = 86_400

/**
 * Clones and workflows go on asking for a name that is given up: for a while nobody else gets to
 * answer them.
 */
export async function reserveNames(
  ctx: Context,
  tx: Executor,
  accountIds: readonly number[],
): Promise<void> {
  const days = ctx.config.users.reserved_name_days
  if (days === 0 || accountIds.length === 0) return
  const now = ctx.now()
  await insertReservations(tx, accountIds, { until: now + days * DAY_SECONDS, now })
}

/** Asked once the account has the name: until then another transaction may give it up. */
export async function assertNotReserved(
  ctx: Context,
  tx: Executor,
  { id }: Pick<Account, 'id'>,
  name: string,
): Promise<void> {
  if (ctx.config.users.reserved_name_days === 0) return
  const taken = { lowerName: name.toLowerCase(), accountId: id, now: ctx.now() }
  if (await isReserved(tx, taken))
    throw invalid(`name is reserved [name: ${name}]`, { reason: 'name_reserved' })
}
