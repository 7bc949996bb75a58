import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { assertWithinToken } from '../../identity/organizations/load.ts'
import { loadVisible } from '../../repositories/repository/load.ts'
import type { RepositoryPath } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findByName, isSeen } from '../../identity/users/load.ts'
import { findOffered } from './transfer.ts'

/**
 * Whoever hands something over names a person, seen or not; organizations are known to those who
 * see them.
 */
export async function loadNewOwner(
  ctx: Context,
  caller: SignedInCaller,
  name: string,
): Promise<Account> {
  const account = await findByName(ctx, name)
  const isKnown = account && (account.kind === 'person' || (await isSeen(ctx, caller, account)))
  if (!isKnown) throw notFound('The new owner does not exist or cannot be found')
  if (account.kind === 'organization') assertWithinToken(caller, account)
  return account
}

/** What is offered to the caller is found even where it is not shown to them. */
export async function loadOffered(
  ctx: Context,
  caller: Caller,
  path: RepositoryPath,
): Promise<RepositoryView> {
  try {
    return await loadVisible(ctx, caller, path)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const offered = await findOffered(ctx, caller, path)
    if (!offered) throw error
    return offered
  }
}
