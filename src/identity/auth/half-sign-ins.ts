import { randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import { hasSecondFactor, type Account } from '../users/account.ts'
import { confirmSecondFactor, matchPassword, type Basic, type Second } from './authenticate.ts'
import {
  deleteExpiredHalfSignIns,
  deleteHalfSignIn,
  findHalfSignIn,
  insertHalfSignIn,
} from './session-queries.ts'

export const HALF_SIGN_IN_SECONDS = 300

/** Somebody whose password was right, and who has not shown the second factor. */
export interface HalfSignIn {
  readonly id: number
  readonly account: Account
}

export interface Checked {
  readonly account: Account
  /** Otherwise the second factor is still to be asked for. */
  readonly isWhole: boolean
}

/**
 * By name and password; with a code at once, or in a second step that asks for the second factor.
 */
export async function checkSignIn(
  ctx: Context,
  basic: Basic,
  second: Second,
): Promise<Checked | undefined> {
  const account = await matchPassword(ctx, basic, second)
  if (!account) return undefined
  if (hasSecondFactor(account) && second.oneTimeCode === undefined) {
    return { account, isWhole: false }
  }
  const whole = await confirmSecondFactor(ctx, account, second)
  return whole && { account: whole, isWhole: true }
}

/** Gives the secret by which the browser is known again. */
export async function startHalfSignIn(ctx: Context, account: Account): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await insertHalfSignIn(ctx.db, {
    account_id: account.id,
    hash: hashOf(ctx, secret),
    account_state: stateOf(ctx, account),
    expires_at: ctx.now() + HALF_SIGN_IN_SECONDS,
  })
  return secret
}

/** While the account is signed in to as it was when the password was checked. */
export async function loadHalfSignIn(
  ctx: Context,
  secret: string | undefined,
): Promise<HalfSignIn | undefined> {
  if (secret === undefined || !/^[\w-]{43}$/.test(secret)) return undefined
  const found = await findHalfSignIn(ctx.db, hashOf(ctx, secret), ctx.now())
  if (!found || found.state !== stateOf(ctx, found.account)) return undefined
  return { id: found.id, account: found.account }
}

/**
 * The account, once the second factor is shown. Of many answers at the same moment, one ends it.
 */
export async function finishSignIn(
  ctx: Context,
  { id, account }: HalfSignIn,
  second: Second,
): Promise<Account | undefined> {
  if (!(await confirmSecondFactor(ctx, account, second))) return undefined
  return (await deleteHalfSignIn(ctx.db, id)) ? account : undefined
}

/** A scheduled task. */
export async function forgetHalfSignIns({ db, now }: Context): Promise<void> {
  await deleteExpiredHalfSignIns(db, now())
}

function stateOf({ secrets }: Context, account: Account): string {
  const { passwordHash, totpSecret, securityKeys, prohibitLogin, isActive } = account
  const state = [passwordHash, totpSecret, securityKeys, prohibitLogin, isActive]
  return secrets.hash('half-sign-in-state', JSON.stringify(state))
}

function hashOf({ secrets }: Context, secret: string): string {
  return secrets.hash('half-sign-in', secret)
}
