import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, invalid } from '../../platform/errors.ts'
import { loadOrganization, loadStanding } from '../../identity/organizations/load.ts'
import type { Account } from '../../identity/users/account.ts'
import { findByName } from '../../identity/users/load.ts'

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

/** The organization in which the caller wants to make a repository, and may. */
export async function loadForCreation(
  ctx: Context,
  caller: SignedInCaller,
  name: string,
): Promise<Account> {
  const named = await findByName(ctx, name)
  if (named?.kind !== 'organization')
    throw invalid(`org does not exist [id: 0, name: ${name}]`, { reason: 'organization_missing' })
  const org = await loadOrganization(ctx, caller, name)
  await assertMayCreateIn(ctx, caller, org)
  return org
}

export async function assertMayCreateIn(
  db: { readonly db: Executor },
  caller: SignedInCaller,
  org: Account,
): Promise<void> {
  if (!(await mayCreateFor(db, caller, org))) {
    throw forbidden('User is not allowed to create repositories in this organization.')
  }
}
