import { logFailedSignIn, type PresentedKind } from '../../platform/audit.ts'
import { anonymous, type Caller, type Context } from '../../platform/context.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { callerByGrant } from '../oauth2-server/grants.ts'
import { hasSecondFactor, type Account } from '../users/account.ts'
import { callerByProxy, type Vouched } from './proxy-login.ts'
import { claimTotpStep, findBySignInName, findTokenOwner, replacePasswordHash } from './queries.ts'
import { isRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { passesSecurityKey, type KeyAnswer } from './security-keys/answer.ts'
import type { SignIn } from './sign-in-limits.ts'
import { matchingStep } from './totp.ts'

/** Everything about a request that can say who is calling. */
export interface Presented {
  readonly authorization: string | undefined
  readonly queryToken: string | undefined
  readonly oneTimeCode: string | undefined
  /** Of a security key, on pages. */
  readonly keyAnswer?: KeyAnswer | undefined
  /** Where the request comes from. */
  readonly address: string
  /** What a trusted proxy says, where its word is taken. */
  readonly vouched?: Vouched | undefined
}

/**
 * Tries what was presented, one scheme after the other: a wrong credential is refused, none is
 * anonymous.
 */
export async function authenticate(ctx: Context, presented: Presented): Promise<Caller> {
  const { authorization, vouched } = presented
  const queryToken = ctx.config.security.query_tokens ? presented.queryToken : undefined
  if (queryToken === undefined && authorization === undefined && !vouched) return anonymous
  const [scheme, value] = splitAuthorization(authorization)
  const headerToken = scheme === 'token' || scheme === 'bearer' ? value : undefined

  const token = queryToken ?? headerToken
  const byToken =
    token === undefined
      ? undefined
      : await byAccessToken(ctx, token, queryToken ? 'query' : 'header')
  if (byToken) return byToken

  const basic = scheme === 'basic' ? decodeBasic(value ?? '') : undefined
  const byBasic = basic && (await byNameAndPassword(ctx, basic, presented))
  if (byBasic) return byBasic

  // Somebody who presents something wrong is not taken for who the proxy says: one of the two is
  // mistaken.
  const isPresented = /^\s*(?:token|bearer|basic)\b/i.test(authorization ?? '')
  const isContradicted = vouched && (isPresented || queryToken !== undefined)
  const byProxy = vouched && !isContradicted ? await callerByProxy(ctx, vouched) : undefined
  if (byProxy) return byProxy
  // A wrong password has its line already.
  if (token !== undefined) logRefusal(ctx, presented, 'token', undefined)
  else if (vouched && !isContradicted) logRefusal(ctx, presented, 'proxy header', vouched.name)
  if (token !== undefined || vouched || (basic && ctx.config.security.basic_password)) {
    throw refused()
  }
  return anonymous
}

function logRefusal(
  { log }: Context,
  { address }: Presented,
  by: PresentedKind,
  name: string | undefined,
): void {
  logFailedSignIn(log, { address, name, by, reason: `wrong ${by}` })
}

export interface Basic {
  readonly name: string
  readonly password: string
}

async function byNameAndPassword(
  ctx: Context,
  { name, password }: Basic,
  presented: Presented,
): Promise<Caller | undefined> {
  const token = password === '' || password === 'x-oauth-basic' ? name : password
  const byToken = await byAccessToken(ctx, token, 'basic')
  if (byToken) return byToken
  if (!ctx.config.security.basic_password) {
    logRefusal(ctx, presented, 'token', token === name ? undefined : name)
    return undefined
  }
  const account = await checkPasswordOfCall(ctx, { name, password }, presented)
  return account && { account, credential: { kind: 'password' }, publicOnly: false }
}

/**
 * Nobody touches a key when a program calls, so that the password of who has one is of no use
 * there.
 */
async function checkPasswordOfCall(
  ctx: Context,
  basic: Basic,
  presented: Presented,
): Promise<Account | undefined> {
  const account = await matchPassword(ctx, basic, presented)
  if (!account || account.securityKeys === 0) {
    return account && confirmSecondFactor(ctx, account, presented)
  }
  // Counts as a wrong one does.
  const signIn = signInOf(account, 'password', presented.address)
  const reason = () => 'second factor missing'
  await ctx.signInLimits.trying(signIn, async () => undefined, reason)
  throw new AppError(
    'unauthenticated',
    'basic authorization is not allowed while WebAuthn enrolled',
  )
}

async function byAccessToken(
  ctx: Context,
  token: string,
  sent: 'basic' | 'header' | 'query',
): Promise<Caller | undefined> {
  if (token.includes('.')) return callerByGrant(ctx, token)
  if (!/^[0-9a-f]{40}$/.test(token)) return undefined
  const found = await ctx.tokenCache.get(token, () =>
    findTokenOwner(ctx.db, ctx.secrets.hash('access-token', token)),
  )
  if (!found) return undefined
  ctx.lastUse.note(found.tokenId, ctx.now())
  return {
    account: found.account,
    credential: { kind: 'token', id: found.tokenId, scopes: found.scopes, sent },
    publicOnly: found.scopes.publicOnly,
  }
}

/** The second factor, in any of its forms. */
export type Second = Pick<Presented, 'address' | 'oneTimeCode' | 'keyAnswer'>

/** The account, when name, password and second factor are right and it may sign in with them. */
export async function checkPassword(
  ctx: Context,
  basic: Basic,
  second: Second,
): Promise<Account | undefined> {
  const account = await matchPassword(ctx, basic, second)
  const confirmed = account && (await confirmSecondFactor(ctx, account, second))
  const isMissing = second.oneTimeCode === undefined && second.keyAnswer === undefined
  // It counts as a wrong one does; whose password is right learns what is missing.
  if (account && !confirmed && isMissing) {
    throw invalid('the second factor is missing', { reason: 'second_factor_missing' })
  }
  return confirmed
}

/**
 * Like `checkPassword` without the second factor: whoever calls this asks for it, and lets nobody
 * in before.
 */
export async function matchPassword(
  ctx: Context,
  { name, password }: Basic,
  { address }: Pick<Presented, 'address'>,
): Promise<Account | undefined> {
  const called = await findBySignInName(ctx.db, name)
  const hash = called?.passwordHash ?? ''
  const signIn = { address, name, accountId: called?.id, by: 'password' } as const
  let isRight = false
  const check = async () => {
    isRight = await ctx.passwords.verify(password, hash)
    return isRight && !called?.prohibitLogin ? called : undefined
  }
  const reason = () => {
    if (!called) return 'unknown name'
    return isRight ? 'may not sign in' : 'wrong password'
  }
  const account = await ctx.signInLimits.trying(signIn, check, reason)
  if (!account) return undefined
  if (!ctx.passwords.isOutdated(hash)) return account
  const passwordHash = await ctx.passwords.hash(password)
  const isReplaced = await replacePasswordHash(ctx.db, account, passwordHash)
  return isReplaced ? { ...account, passwordHash } : account
}

/** Of an account whose password was right; what is wrong counts as a wrong password does. */
export async function confirmSecondFactor(
  ctx: Context,
  account: Account,
  second: Second,
): Promise<Account | undefined> {
  if (!(await triesSecondFactor(ctx, account, second))) return undefined
  await ctx.signInLimits.noteSuccess(second, account.id)
  return account
}

/** Counts as a try, unless there is nothing to show. */
export async function triesSecondFactor(
  ctx: Context,
  account: Account,
  second: Second,
): Promise<boolean> {
  if (!hasSecondFactor(account)) return true
  const isMissing = second.oneTimeCode === undefined && second.keyAnswer === undefined
  const passed = await ctx.signInLimits.trying(
    signInOf(account, 'second factor', second.address),
    async () => ((await passesSecondFactor(ctx, account, second)) ? account : undefined),
    () => (isMissing ? 'second factor missing' : 'wrong second factor'),
  )
  return passed !== undefined
}

function signInOf({ id, name }: Account, by: PresentedKind, address: string): SignIn {
  return { address, name, accountId: id, by }
}

/** Each code and each answer works once, however many requests bring it at the same moment. */
async function passesSecondFactor(
  ctx: Context,
  account: Account,
  { oneTimeCode: code, keyAnswer }: Second,
): Promise<boolean> {
  if (keyAnswer) return passesSecurityKey(ctx, account, keyAnswer)
  if (code === undefined) return false
  if (isRecoveryCode(code)) return useRecoveryCode(ctx, account, code)
  if (account.totpSecret === '') return false
  const step = matchingStep(ctx.secrets.unseal('totp', account.totpSecret), code, ctx.now())
  return step !== undefined && claimTotpStep(ctx.db, account.id, step)
}

/** Two words exactly; anything else counts as no credential. */
function splitAuthorization(header: string | undefined): [string, string] | [] {
  const words = (header ?? '').split(' ').filter((word) => word !== '')
  const [scheme, value] = words
  return words.length === 2 && scheme && value ? [scheme.toLowerCase(), value] : []
}

function decodeBasic(value: string): Basic | undefined {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1 || text.includes('\0')) return undefined
  return { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

export function refused(): AppError {
  return new AppError('unauthenticated', 'invalid username, password or token')
}
