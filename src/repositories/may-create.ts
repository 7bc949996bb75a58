import { isSiteAdmin, type SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { Account } from '../users/account.ts'
import { mayCreateIn } from './relation-queries.ts'

/** One rule for creating, forking and handing over to somebody. */
export async function mayCreateFor(
  { db }: { readonly db: Executor },
  caller: SignedInCaller,
  owner: Account,
): Promise<boolean> {
  if (isSiteAdmin(caller) || owner.id === caller.account.id) return true
  return owner.kind === 'organization' && mayCreateIn(db, owner.id, caller.account.id)
}
