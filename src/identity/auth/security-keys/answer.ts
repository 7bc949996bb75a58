import type { Context } from '../../../platform/context.ts'
import type { Account } from '../../users/account.ts'
import { siteOf } from './authenticator-data.ts'
import { CHALLENGE_SECONDS, newChallenge, takeChallenge, type Holder } from './challenges.ts'
import { readClientData } from './client-data.ts'
import type { Signed } from './public-key.ts'
import { findKey, findKeys } from './queries.ts'
import { noteUse, verifyAnswer } from './verify.ts'

/** What a key that is enrolled says to a question. */
export interface KeyAnswer extends Signed {
  readonly holder: Holder
  readonly credentialId: Buffer
}

/** What a browser is to ask one of the account's keys, in its own words. */
export async function askForKey(ctx: Context, holder: Holder, account: Account) {
  const keys = await findKeys(ctx.db, account.id)
  return {
    challenge: await newChallenge(ctx, holder, 'webauthn.get'),
    rpId: siteOf(ctx.config),
    allowCredentials: keys.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
    userVerification: 'discouraged',
    timeout: CHALLENGE_SECONDS * 1000,
  }
}

/** Each challenge is good for one answer, right or wrong, however many come at the same moment. */
export async function passesSecurityKey(
  ctx: Context,
  account: Account,
  answer: KeyAnswer,
): Promise<boolean> {
  const asked = readClientData(answer.clientData)
  if (!(await takeChallenge(ctx, answer.holder, 'webauthn.get', asked.challenge))) return false
  const key = await findKey(ctx.db, account.id, answer.credentialId.toString('base64url'))
  if (!key) return false
  const given = verifyAnswer(ctx, key, answer)
  return given !== undefined && noteUse(ctx, account, key, given)
}
