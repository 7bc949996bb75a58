import { randomBytes } from 'node:crypto'
import { noReplyDomain } from '../../platform/config/urls.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { MAX_FULL_NAME, MAX_NAME, type Account } from '../users/account.ts'
import { createPerson } from '../users/create.ts'
import { findByName } from '../users/load.ts'
import { findByAddress } from './by-address.ts'

/**
 * What a trusted proxy says about somebody; what it does not say, or is not asked for, is empty.
 */
export interface Vouched {
  readonly name: string
  readonly email: string
  readonly fullName: string
}

/**
 * Whom a proxy means: by name, by e-mail address, or somebody new, as far as the settings let it.
 */
export async function callerByProxy(
  ctx: Context,
  vouched: Vouched,
): Promise<SignedInCaller | undefined> {
  const account =
    (await findPerson(ctx, vouched.name)) ??
    (await findByAddress(ctx, vouched.email)) ??
    (await register(ctx, vouched))
  return account && { account, credential: { kind: 'proxy' }, publicOnly: false }
}

async function findPerson(ctx: Context, name: string): Promise<Account | undefined> {
  const account = name === '' ? undefined : await findByName(ctx, name)
  return account?.kind === 'person' ? account : undefined
}

/** Nobody knows the password of such an account. */
async function register(ctx: Context, vouched: Vouched): Promise<Account | undefined> {
  const { name, email, fullName } = vouched
  if (!ctx.config.proxy_login.auto_registration || name === '' || name.length > MAX_NAME) {
    return undefined
  }
  try {
    const account = await createPerson(ctx, {
      name,
      email: email || `${name.toLowerCase()}@${noReplyDomain(ctx.config)}`,
      password: randomBytes(32).toString('base64url'),
      fullName: [...fullName].slice(0, MAX_FULL_NAME).join(''),
    })
    ctx.log.info({ account: account.name }, 'registered by a reverse proxy')
    return account
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Somebody else's request of the same moment may have been first.
    const account = await findPerson(ctx, name)
    if (!account) ctx.log.warn({ name, reason: error.message }, 'not registered by a reverse proxy')
    return account
  }
}
