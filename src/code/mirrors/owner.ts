import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, invalid, isNotFound, type AppError } from '../../platform/errors.ts'
import { loadStanding } from '../../identity/organizations/load.ts'
import { canAdminister } from '../../identity/organizations/policy.ts'
import type { Account } from '../../identity/users/account.ts'
import { findById, findByName, loadVisibleAccount } from '../../identity/users/load.ts'

export interface WantedOwner {
  readonly name: string
  /** Older clients say it so; zero for nothing said. */
  readonly id: number
}

/**
 * Who gets the repository: the caller, or an organization that they own; anybody for
 * administrators.
 */
export async function loadNewOwner(
  ctx: Context,
  caller: SignedInCaller,
  { name, id }: WantedOwner,
): Promise<Account> {
  const owner = await findOwner(ctx, caller, { name, id })
  if (!owner || !(await isKnownTo(ctx, caller, owner))) {
    throw invalid(`user does not exist [uid: ${name === '' ? id : 0}, name: ${name}]`)
  }
  if (owner.id === caller.account.id || isSiteAdmin(caller)) return owner
  if (owner.kind !== 'organization') throw forbidden('Given user is not an organization.')
  if (!canAdminister(caller, await loadStanding(ctx, caller, owner))) {
    throw notOwner()
  }
  return owner
}

async function findOwner(
  ctx: Context,
  caller: SignedInCaller,
  { name, id }: WantedOwner,
): Promise<Account | undefined> {
  if (name !== '') return findByName(ctx, name)
  return id === 0 ? caller.account : findById(ctx, id)
}

/** Whom the caller may not see does not exist. */
async function isKnownTo(ctx: Context, caller: SignedInCaller, owner: Account): Promise<boolean> {
  if (owner.id === caller.account.id || isSiteAdmin(caller)) return true
  return loadVisibleAccount(ctx, caller, owner.name).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false
      throw error
    },
  )
}

export function notOwner(): AppError {
  return forbidden('Given user is not owner of organization.')
}

/** The rule of `loadNewOwner`, asked again when the repository is made. */
export async function mayImportFor(
  { db }: { readonly db: Executor },
  caller: SignedInCaller,
  owner: Account,
): Promise<boolean> {
  if (owner.id === caller.account.id || isSiteAdmin(caller)) return true
  if (owner.kind !== 'organization') return false
  return canAdminister(caller, await loadStanding({ db }, caller, owner))
}
