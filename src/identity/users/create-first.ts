import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Account } from './account.ts'
import { confirmsAddresses } from './confirm.ts'
import { createPerson, type NewPerson } from './create.ts'
import { hasAccounts } from './queries.ts'

/** While it is so, whoever reads the server's output may create the first administrator. */
export async function hasNoAccounts(ctx: Context): Promise<boolean> {
  return !(await hasAccounts(ctx.db))
}

/** Creates the administrator of an empty server: of any number of calls at once, one succeeds. */
export async function createFirstAdministrator(ctx: Context, person: NewPerson): Promise<Account> {
  const before = async (tx: Executor) => {
    await lock(ctx.db.dialect, tx, 'administrators')
    if (await hasAccounts(tx)) throw forbidden('The first account exists already.')
  }
  return createPerson(ctx, { ...person, isAdmin: true }, { before })
}

/**
 * An account that somebody makes for themselves; on an empty server it is that of its
 * administrator.
 */
export async function signUp(ctx: Context, person: NewPerson): Promise<Account> {
  if (!(await hasAccounts(ctx.db))) return createFirstAdministrator(ctx, person)
  const account = await createPerson(ctx, { ...person, awaitsConfirmation: confirmsAddresses(ctx) })
  ctx.jobs.wake()
  return account
}
