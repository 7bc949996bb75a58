import { anonymous, type Caller, type Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { callerByGrant } from '../grants/grants.ts'
import type { Account } from '../users/account.ts'
import { callerByProxy, type Vouched } from './proxy-login.ts'
import { claimTotpStep, findBySignInName, findTokenOwner, updatePasswordHash } from './queries.ts'
import { isRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { matchingStep } from './totp.ts'

/** Everything about a request that can say who is calling. */
export interface Presented {
  readonly authorization: string | undefined
  readonly queryToken: string | undefined
  readonly oneTimeCode: string | undefined
  /** Where the request comes from. */
  readonly address: string
  /** What a trusted proxy says, where its word is taken. */
  readonly vouched?: Vouched | undefined
}

/** Tries what was presented, one scheme after the other: a wrong credential is refused, none is anonymous. */
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

  const byProxy = vouched && (await callerByProxy(ctx, vouched))
  if (byProxy) return byProxy
  if (token !== undefined || vouched || (basic && ctx.config.security.basic_password)) {
    throw refused()
  }
  return anonymous
}

interface Basic {
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
  if (!ctx.config.security.basic_password) return undefined
  const account = await checkPassword(ctx, { name, password }, presented)
  return account && { account, credential: { kind: 'password' }, publicOnly: false }
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

/** The account, when name, password and second factor are right and it may sign in with them. */
export async function checkPassword(
  ctx: Context,
  { name, password }: Basic,
  { address, oneTimeCode }: Pick<Presented, 'address' | 'oneTimeCode'>,
): Promise<Account | undefined> {
  const account = await findBySignInName(ctx.db, name)
  const signIn = { address, name }
  await ctx.signInLimits.assertMayTry(signIn, account?.id ?? 0)
  const hash = account?.passwordHash ?? ''
  const right = await ctx.passwords.verify(password, hash)
  const admitted = account && right && !account.prohibitLogin
  if (!admitted || !(await passesSecondFactor(ctx, account, oneTimeCode))) {
    await ctx.signInLimits.noteFailure(signIn)
    return undefined
  }
  await ctx.signInLimits.noteSuccess(signIn, account.id)
  if (!ctx.passwords.isOutdated(hash)) return account
  const passwordHash = await ctx.passwords.hash(password)
  await updatePasswordHash(ctx.db, account.id, passwordHash)
  return { ...account, passwordHash }
}

/** Each code works once, however many requests bring it at the same moment. */
export async function passesSecondFactor(
  ctx: Context,
  account: Account,
  code: string | undefined,
): Promise<boolean> {
  if (account.totpSecret === '') return true
  if (code === undefined) return false
  if (isRecoveryCode(code)) return useRecoveryCode(ctx, account, code)
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
