import type { Context, SignedInCaller } from '../../../platform/context.ts'
import { AppError, invalid, invalidField } from '../../../platform/errors.ts'
import { recoveryCodesForFirst } from '../recovery-codes.ts'
import { tellingTransaction, tellOwner, type Trace } from '../security-news.ts'
import { endOthersIn } from '../sessions.ts'
import { assertGivenHere, readAuthenticatorData, siteOf } from './authenticator-data.ts'
import {
  CHALLENGE_SECONDS,
  holderOf,
  newChallenge,
  takeChallenge,
  type Holder,
} from './challenges.ts'
import { assertAskedHere, readClientData } from './client-data.ts'
import { userHandleOf } from './passkey.ts'
import { algorithms, readPublicKey } from './public-key.ts'
import { claimKeyPlace, findKeys, insertKey } from './queries.ts'

const MOST_KEYS = 20
const MAX_NAME_LENGTH = 60

/** What a browser is to ask a key that is new, in its own words. */
export async function offerEnrolment(ctx: Context, caller: SignedInCaller) {
  const { account } = caller
  const keys = await findKeys(ctx.db, account.id)
  return {
    challenge: await newChallenge(ctx, holderOf(caller), 'webauthn.create'),
    rp: { id: siteOf(ctx.config), name: 'Codestead' },
    user: {
      id: userHandleOf(ctx, account.id).toString('base64url'),
      name: account.name,
      displayName: account.fullName || account.name,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: keys.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
    // One that can, is a passkey from then on.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
    timeout: CHALLENGE_SECONDS * 1000,
  }
}

/** What a key says that is to be enrolled. */
export interface NewKeyAnswer {
  readonly holder: Holder
  readonly clientData: Buffer
  readonly authenticatorData: Buffer
  /** SPKI, as browsers give it. */
  readonly publicKey: Buffer
}

export interface NewKey {
  readonly name: string
  readonly credentialId: string
  readonly publicKey: string
  readonly signCount: number
}

/** A key that was asked here, and may be added by who shows the password. */
export async function readNewKey(
  ctx: Context,
  name: string,
  answer: NewKeyAnswer,
): Promise<NewKey> {
  assertKeyName(name)
  const asked = readClientData(answer.clientData)
  if (!(await takeChallenge(ctx, answer.holder, 'webauthn.create', asked.challenge))) {
    throw invalid('the security key was asked too long ago')
  }
  assertAskedHere(ctx.config, asked, 'webauthn.create')
  const given = readAuthenticatorData(answer.authenticatorData)
  assertGivenHere(ctx.config, given)
  if (!given.credentialId) throw invalid('the security key did not tell what it is called')
  return {
    name,
    credentialId: given.credentialId.toString('base64url'),
    publicKey: readPublicKey(answer.publicKey),
    signCount: given.signCount,
  }
}

function assertKeyName(name: string): void {
  if (name === '') throw invalidField('KeyName', 'Required')
  if (name.length > MAX_NAME_LENGTH) throw invalidField('KeyName', 'MaxSize')
  if (/\p{Cc}/u.test(name))
    throw invalid('the name has characters that cannot be shown', { reason: 'name_invalid' })
}

/**
 * Of somebody who has just shown the password. Gives recovery codes with the first second factor.
 */
export async function addKey(
  ctx: Context,
  caller: SignedInCaller,
  key: NewKey,
  trace?: Trace,
): Promise<readonly string[]> {
  const { account } = caller
  return tellingTransaction(ctx, async (tx) => {
    if (!(await claimKeyPlace(tx, account.id, MOST_KEYS))) {
      throw invalid(`an account has ${MOST_KEYS} security keys at most`)
    }
    const isNew = await insertKey(tx, {
      account_id: account.id,
      name: key.name,
      credential_id: key.credentialId,
      public_key: key.publicKey,
      sign_count: key.signCount,
      created_at: ctx.now(),
    })
    if (!isNew) throw new AppError('conflict', 'this security key is enrolled already')
    // Who is signed in elsewhere has not shown it.
    await endOthersIn(tx, caller)
    await tellOwner(ctx, tx, account, { what: 'security_key_added', named: key.name }, trace)
    return recoveryCodesForFirst(ctx, tx, account)
  })
}
