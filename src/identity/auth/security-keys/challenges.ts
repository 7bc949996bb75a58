import { randomBytes } from 'node:crypto'
import type { Context, SignedInCaller } from '../../../platform/context.ts'
import { isSameSecret } from '../../../platform/same-secret.ts'
import type { Ceremony } from './client-data.ts'
import {
  deleteExpiredChallenges,
  deleteOlderChallenges,
  insertChallenge,
  insertAnswered,
  takeStoredChallenge,
} from './queries.ts'

/**
 * A browser in which a key is asked: of somebody who is signed in, or half of the way there. Whom a
 * proxy signs in has no session.
 */
export interface Holder {
  readonly kind: 'session' | 'half-sign-in' | 'account'
  readonly id: number
}

export function holderOf({ account, credential }: SignedInCaller): Holder {
  return credential.kind === 'session'
    ? { kind: 'session', id: credential.id }
    : { kind: 'account', id: account.id }
}

export const CHALLENGE_SECONDS = 300
/** One has some pages open at once, but not any number. */
const MOST_OPEN = 8

/** What a key is to sign, for one browser and once. */
export async function newChallenge(
  ctx: Context,
  holder: Holder,
  ceremony: Ceremony,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const held = textOf(holder, ceremony)
  const expiresAt = ctx.now() + CHALLENGE_SECONDS
  await ctx.db.transaction().execute(async (tx) => {
    await insertChallenge(tx, {
      holder: held,
      hash: hashOf(ctx, challenge),
      expires_at: expiresAt,
    })
    await deleteOlderChallenges(tx, held, MOST_OPEN)
  })
  return challenge
}

/** Whether this browser was given it for that, not long ago and not answered yet. */
export async function takeChallenge(
  ctx: Context,
  holder: Holder,
  ceremony: Ceremony,
  challenge: unknown,
): Promise<boolean> {
  if (typeof challenge !== 'string') return false
  const hash = hashOf(ctx, challenge)
  return takeStoredChallenge(ctx.db, textOf(holder, ceremony), hash, ctx.now())
}

/**
 * What a key of nobody in particular is to sign. Nothing is kept of it until it is answered:
 * strangers fill no table.
 */
export function signedChallenge(ctx: Context): string {
  const head = `${ctx.now() + CHALLENGE_SECONDS}.${randomBytes(16).toString('hex')}`
  return Buffer.from(`${head}.${signatureOf(ctx, head)}`).toString('base64url')
}

/** Whether it is of ours and not old, and this is the first answer to it. */
export async function takeSignedChallenge(ctx: Context, challenge: unknown): Promise<boolean> {
  if (typeof challenge !== 'string') return false
  const [expiry = '', random = '', signature = ''] = Buffer.from(challenge, 'base64url')
    .toString('latin1')
    .split('.')
  const expiresAt = Number(expiry)
  if (!isSameSecret(signature, signatureOf(ctx, `${expiry}.${random}`))) return false
  if (expiresAt <= ctx.now()) return false
  return insertAnswered(ctx.db, { hash: hashOf(ctx, random), expires_at: expiresAt })
}

function signatureOf({ secrets }: Context, head: string): string {
  return secrets.hash('passkey-challenge', head)
}

/** A scheduled task. */
export async function forgetExpiredChallenges({ db, now }: Context): Promise<void> {
  await deleteExpiredChallenges(db, now())
}

function textOf({ kind, id }: Holder, ceremony: Ceremony): string {
  return `${kind} ${id} ${ceremony}`
}

function hashOf({ secrets }: Context, challenge: string): string {
  return secrets.hash('security-key-challenge', challenge)
}
