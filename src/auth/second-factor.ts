import type { Context } from '../context.ts'
import { AppError, invalid } from '../errors.ts'
import type { Account } from '../users/account.ts'
import { updateTotpSecret } from './queries.ts'
import { endSessionsOf } from './sessions.ts'
import { newTotpSecret, totpAddress } from './totp.ts'

/** From now on the account's password works with a one-time code only. Gives the address for an authenticator app. */
export async function enableSecondFactor(ctx: Context, account: Account): Promise<string> {
  if (account.kind === 'organization') {
    throw invalid(`${account.name} is an organization not a user`)
  }
  if (account.totpSecret !== '') {
    throw new AppError('conflict', `${account.name} has a second factor already`)
  }
  const secret = newTotpSecret()
  await ctx.db.transaction().execute(async (tx) => {
    await updateTotpSecret(tx, account.id, ctx.secrets.seal('totp', secret))
    // Who is signed in has not shown it.
    await endSessionsOf(tx, account.id)
  })
  return totpAddress(secret, account.name, 'Codestead')
}

export async function disableSecondFactor(ctx: Context, account: Account): Promise<void> {
  if (account.totpSecret === '') {
    throw new AppError('conflict', `${account.name} has no second factor`)
  }
  await updateTotpSecret(ctx.db, account.id, '')
}
