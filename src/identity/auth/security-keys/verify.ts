import type { Context } from '../../../platform/context.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Account } from '../../users/account.ts'
import {
  assertGivenHere,
  readAuthenticatorData,
  type AuthenticatorData,
} from './authenticator-data.ts'
import { assertAskedHere, readClientData } from './client-data.ts'
import { isSignedBy, type Signed } from './public-key.ts'
import { claimUse, type SecurityKey } from './queries.ts'

/**
 * What a key says of itself that has signed an answer for this site; nothing where anything about
 * it is wrong.
 */
export function verifyAnswer(
  { config }: Context,
  { publicKey }: SecurityKey,
  answer: Signed,
): AuthenticatorData | undefined {
  if (!isSignedBy(publicKey, answer)) return undefined
  try {
    assertAskedHere(config, readClientData(answer.clientData), 'webauthn.get')
    const given = readAuthenticatorData(answer.authenticatorData)
    assertGivenHere(config, given)
    return given
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return undefined
    throw error
  }
}

/** Notes that a key was used; false where it counts backwards, as a copy of it would. */
export async function noteUse(
  ctx: Context,
  account: Account,
  key: SecurityKey,
  { signCount }: AuthenticatorData,
): Promise<boolean> {
  if (await claimUse(ctx.db, key.id, signCount, ctx.now())) return true
  ctx.log.warn({ account: account.name, key: key.name }, 'a security key counts backwards')
  return false
}
