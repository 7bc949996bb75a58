import { logRightsChange } from '../../platform/audit.ts'
import type { Caller, Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { MissingParent } from '../../platform/db/missing-parent.ts'
import { lock } from '../../platform/db/lock.ts'
import { despiteDeadlocks } from '../../platform/db/unavailable.ts'
import { invalid } from '../../platform/errors.ts'
import { holdMemberships } from '../organizations/hold.ts'
import type { Account } from './account.ts'
import {
  countAdmins,
  deleteAccounts,
  findAccount,
  findOwnedOrganizations,
  findSolelyOwned,
  holdAccounts,
  isMemberOfAny,
  uncountFollows,
} from './queries.ts'
import { assertOwnsNothing, holdOwnedBy, type OwnedByAccounts } from './removal.ts'
import { reserveNames } from './reserve.ts'

/** Deletes a person; `purge` takes along the organizations that nobody else owns. */
export async function removePerson(
  ctx: Context,
  caller: Caller | undefined,
  account: Account,
  { purge }: { purge: boolean },
): Promise<void> {
  if (account.kind === 'organization') {
    throw invalid(`${account.name} is an organization not a user`)
  }
  if (caller?.account?.id === account.id) throw invalid('you cannot delete yourself')
  if (purge) await removeAllOf(ctx, account)
  await despiteDeadlocks(() =>
    ctx.db.transaction().execute((tx) => dropPerson(ctx, tx, account, { purge })),
  )
  logRightsChange(ctx.log, 'account deleted', { account: account.name })
  ctx.jobs.wake()
}

/**
 * What makes most of the work goes before the account, in parts. What it is, is decided at once:
 * somebody who comes to own an organization with them meanwhile has it as it is left.
 */
async function removeAllOf(ctx: Context, account: Account): Promise<void> {
  const ids = await despiteDeadlocks(() =>
    ctx.db.transaction().execute(async (tx) => {
      await lock(ctx.db.dialect, tx, 'administrators')
      await holdMemberships(ctx, tx, account.id)
      const owners = [...(await holdOwned(ctx, tx, account.id)), account.id]
      const isAdmin = (await findAccount(tx, account.id))?.isAdmin ?? false
      if (isAdmin && (await countAdmins(tx)) === 1) throw lastAdministrator()
      for (const id of owners) {
        for (const owned of ctx.above.ownedByAccounts) await owned.mark?.(ctx, tx, id)
      }
      return owners
    }),
  )
  for (const id of ids) {
    for (const owned of ctx.above.ownedByAccounts) await owned.removeMarked?.(ctx, id)
  }
}

async function dropPerson(
  ctx: Context,
  tx: Executor,
  account: Account,
  { purge }: { purge: boolean },
): Promise<void> {
  await lock(ctx.db.dialect, tx, 'administrators')
  await holdMemberships(ctx, tx, account.id)
  const owned = purge ? await holdOwned(ctx, tx, account.id) : []
  const ids = [...owned, account.id]
  await holdOwnedBy(ctx, tx, ids)
  if (!purge) await assertOwnsNothing(ctx, tx, account.id)
  // Before any repository, as whoever ties people to one.
  await lock(ctx.db.dialect, tx, 'follows')
  for (const kind of ctx.above.ownedByAccounts) await kind.drop?.(ctx, tx, ids)
  const wasAdmin = (await findAccount(tx, account.id))?.isAdmin ?? false
  await dropAccounts(ctx, tx, ids)
  if (wasAdmin && (await countAdmins(tx)) === 0) throw lastAdministrator()
}

function lastAdministrator(): Error {
  return invalid('can not delete the last administrator')
}

/** Organizations keep their members from being deleted. */
export const memberships: OwnedByAccounts = {
  assertNone: async (tx, id) => {
    if (!(await isMemberOfAny(tx, id))) return
    throw invalid(`user still has membership of organizations [uid: ${id}]`, {
      reason: 'still_has_memberships',
    })
  },
}

/** What this person alone owns; until the transaction ends nobody else changes who owns it. */
async function holdOwned(
  ctx: Context,
  tx: Executor,
  accountId: number,
): Promise<readonly number[]> {
  for (const orgId of await findOwnedOrganizations(tx, accountId)) {
    await lock(ctx.db.dialect, tx, 'organization', orgId)
  }
  return findSolelyOwned(tx, accountId)
}

/**
 * The one way accounts go, of people and of organizations: what is theirs goes with them, counts of
 * others follow.
 */
export async function dropAccounts(
  ctx: Context,
  tx: Executor,
  ids: readonly number[],
): Promise<void> {
  await lock(ctx.db.dialect, tx, 'follows')
  await uncountFollows(tx, ids)
  await dropMarks(ctx, tx, ids)
  await holdAccounts(ctx.db.dialect, tx, ids)
  // Once more: somebody may have starred or watched something until the accounts were held.
  await dropMarks(ctx, tx, ids)
  await reserveNames(ctx, tx, ids)
  try {
    await deleteAccounts(tx, ids)
  } catch (error) {
    // A repository that came since it was asked what they own.
    throw error instanceof MissingParent ? stillOwnsRepositories(ids) : error
  }
}

async function dropMarks(ctx: Context, tx: Executor, ids: readonly number[]): Promise<void> {
  for (const owned of ctx.above.ownedByAccounts) await owned.dropMarks?.(ctx, tx, ids)
}

export function stillOwnsRepositories(ids: readonly number[]): Error {
  return invalid(`user still has ownership of repositories [uid: ${ids.join()}]`, {
    reason: 'still_has_repositories',
  })
}
