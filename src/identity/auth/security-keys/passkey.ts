import type { Context } from '../../../platform/context.ts'
import type { Account } from '../../users/account.ts'
import { siteOf } from './authenticator-data.ts'
import { CHALLENGE_SECONDS, signedChallenge, takeSignedChallenge } from './challenges.ts'
import { readClientData } from './client-data.ts'
import type { Signed } from './public-key.ts'
import { findOwnedKey, type OwnedKey } from './queries.ts'
import { noteUse, verifyAnswer } from './verify.ts'

/** What a passkey says, which somebody has chosen in their browser. */
export interface PasskeyAnswer extends Signed {
  readonly credentialId: Buffer
  /** What it was told, when it was made, of whom it is for. */
  readonly userHandle: Buffer
}

/** What a browser is to ask whichever passkey its owner chooses, in its own words. */
export function askForPasskey(ctx: Context) {
  return {
    challenge: signedChallenge(ctx),
    rpId: siteOf(ctx.config),
    allowCredentials: [],
    userVerification: 'required',
    timeout: CHALLENGE_SECONDS * 1000,
  }
}

/** Keys keep it, and tell it to whoever has them: it says nothing of the account. */
export function userHandleOf({ secrets }: Context, accountId: number): Buffer {
  return Buffer.from(secrets.hash('security-key-user', String(accountId)), 'hex')
}

/**
 * Whose passkey answers, if they may sign in. It is both factors at once: somebody has it, and it
 * has made sure who that is.
 */
export async function findByPasskey(
  ctx: Context,
  answer: PasskeyAnswer,
  address: string,
): Promise<Account | undefined> {
  const credentialId = answer.credentialId.toString('base64url')
  const owned = await findOwnedKey(ctx.db, credentialId)
  const name = owned?.account.name ?? credentialId
  const signIn = { address, name, accountId: owned?.account.id, by: 'passkey' } as const
  const account = await ctx.signInLimits.trying(signIn, async () => {
    if (!owned || owned.account.prohibitLogin) return undefined
    return (await isRight(ctx, owned, answer)) ? owned.account : undefined
  })
  if (account) await ctx.signInLimits.noteSuccess(signIn, account.id)
  return account
}

async function isRight(
  ctx: Context,
  { key, account }: OwnedKey,
  answer: PasskeyAnswer,
): Promise<boolean> {
  const given = verifyAnswer(ctx, key, answer)
  if (!given?.isUserVerified) return false
  if (!answer.userHandle.equals(userHandleOf(ctx, account.id))) return false
  const { challenge } = readClientData(answer.clientData)
  return (await takeSignedChallenge(ctx, challenge)) && noteUse(ctx, account, key, given)
}
