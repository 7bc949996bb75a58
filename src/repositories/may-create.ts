import { isSiteAdmin, type Context, type SignedInCaller } from '../context.ts'
import type { Account } from '../users/account.ts'
import { mayCreateIn } from './relation-queries.ts'

/** One rule for creating, forking and handing over to somebody. */
export async function mayCreateFor(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
): Promise<boolean> {
  if (isSiteAdmin(caller) || owner.id === caller.account.id) return true
  return owner.kind === 'organization' && mayCreateIn(ctx.db, owner.id, caller.account.id)
}
