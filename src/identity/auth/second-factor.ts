import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { hasSecondFactor, type Account } from '../users/account.ts'
import { claimTotpSecret, updateTotpSecret } from './queries.ts'
import { forgetUnneededCodes, recoveryCodesForFirst } from './recovery-codes.ts'
import { removeKeysIn } from './security-keys/keys.ts'
import { tellingTransaction, tellOwner, type Trace } from './security-news.ts'
import { endOthersIn, endSessionsOf } from './sessions.ts'
import { matchingStep, newTotpSecret, totpAddress } from './totp.ts'

/**
 * From now on the account's password works with a one-time code only. Gives the address for an
 * authenticator app.
 */
export async function enableSecondFactor(
  ctx: Context,
  account: Account,
  trace?: Trace,
): Promise<string> {
  if (account.kind === 'organization') {
    throw invalid(`${account.name} is an organization not a user`)
  }
  if (account.totpSecret !== '') throw hasOne(account)
  const secret = newTotpSecret()
  await tellingTransaction(ctx, async (tx) => {
    await updateTotpSecret(tx, account.id, ctx.secrets.seal('totp', secret))
    // Who is signed in has not shown it.
    await endSessionsOf(tx, account.id)
    await tellOwner(ctx, tx, account, { what: 'codes_on' }, trace)
  })
  return addressOf(account, secret)
}

/** One-time codes, security keys and recovery codes: from now on the password works alone. */
export async function disableSecondFactor(
  ctx: Context,
  account: Account,
  trace?: Trace,
): Promise<void> {
  if (!hasSecondFactor(account)) {
    throw new AppError('conflict', `${account.name} has no second factor`)
  }
  await tellingTransaction(ctx, async (tx) => {
    await updateTotpSecret(tx, account.id, '')
    await removeKeysIn(tx, account)
    await forgetUnneededCodes(tx, account)
    await tellOwner(ctx, tx, account, { what: 'second_factor_off' }, trace)
  })
}

/** One-time codes alone; security keys go on working. */
export async function disableOneTimeCodes(
  ctx: Context,
  account: Account,
  trace?: Trace,
): Promise<void> {
  if (account.totpSecret === '') {
    const missing = account.securityKeys > 0 ? 'one-time codes' : 'second factor'
    throw new AppError('conflict', `${account.name} has no ${missing}`)
  }
  await tellingTransaction(ctx, async (tx) => {
    await updateTotpSecret(tx, account.id, '')
    await forgetUnneededCodes(tx, account)
    await tellOwner(ctx, tx, account, { what: 'codes_off' }, trace)
  })
}

function hasOne({ name }: Account): AppError {
  return new AppError('conflict', `${name} has a second factor already`)
}

/** A second factor that somebody may take, and comes back with. */
export interface Offer {
  readonly secret: string
  /** For an authenticator app. */
  readonly address: string
  /** The secret for its way to the browser and back; only the server can open it. */
  readonly sealed: string
}

const OFFER_SECONDS = 1800

export function offerSecondFactor(ctx: Context, account: Account): Offer {
  const secret = newTotpSecret()
  const until = ctx.now() + OFFER_SECONDS
  const sealed = ctx.secrets.seal('totp-offer', [account.id, until, secret].join(' '))
  return { secret, address: addressOf(account, secret), sealed }
}

/** What was offered to this account a while ago; nothing where it was not, or too long ago. */
export function readOffer(ctx: Context, account: Account, sealed: string): Offer | undefined {
  const [id, until, secret = ''] = opened(ctx, sealed).split(' ')
  if (Number(id) !== account.id || !(Number(until) > ctx.now())) return undefined
  return { secret, address: addressOf(account, secret), sealed }
}

function opened(ctx: Context, sealed: string): string {
  try {
    return ctx.secrets.unseal('totp-offer', sealed)
  } catch {
    return ''
  }
}

function addressOf({ name }: Account, secret: string): string {
  return totpAddress(secret, name, 'Codestead')
}

/**
 * Of somebody who has just shown the password, and shows by a code that they have what makes these.
 * Gives recovery codes with the first second factor.
 */
export async function takeSecondFactor(
  ctx: Context,
  caller: SignedInCaller,
  { secret }: Offer,
  code: string,
  trace: Trace,
): Promise<readonly string[]> {
  const { account } = caller
  const step = matchingStep(secret, code.trim(), ctx.now())
  if (step === undefined) throw invalid('the one-time code is wrong', { reason: 'code_wrong' })
  return tellingTransaction(ctx, async (tx) => {
    const sealed = ctx.secrets.seal('totp', secret)
    if (!(await claimTotpSecret(tx, account.id, sealed, step))) throw hasOne(account)
    await endOthersIn(tx, caller)
    await tellOwner(ctx, tx, account, { what: 'codes_on' }, trace)
    return recoveryCodesForFirst(ctx, tx, account)
  })
}
