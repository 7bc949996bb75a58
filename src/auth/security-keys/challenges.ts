import { randomBytes } from 'node:crypto'
import type { Context, SignedInCaller } from '../../context.ts'
import type { Ceremony } from './client-data.ts'
import {
  deleteExpiredChallenges,
  deleteOlderChallenges,
  insertChallenge,
  takeStoredChallenge,
} from './queries.ts'

/** A browser in which a key is asked: of somebody who is signed in, or half of the way there. Whom a proxy signs in has no session. */
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
