import { isSiteAdmin, type SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { loadStanding } from '../organizations/load.ts'
import type { Account } from '../users/account.ts'

/** One rule for creating, forking and handing over to somebody. */
export async function mayCreateFor(
  { db }: { readonly db: Executor },
  caller: SignedInCaller,
  owner: Account,
): Promise<boolean> {
  if (isSiteAdmin(caller) || owner.id === caller.account.id) return true
  if (owner.kind !== 'organization') return false
  return (await loadStanding({ db }, caller, owner)).canCreateRepositories
}
