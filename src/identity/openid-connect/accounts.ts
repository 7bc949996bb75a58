import { holdAsLoaded } from '../auth/as-loaded.ts'
import { findByAddress } from '../auth/by-address.ts'
import { hasPassword } from '../auth/first-password.ts'
import { tellingTransaction, tellOwner, type Trace } from '../auth/security-news.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { MAX_FULL_NAME, MAX_NAME, type Account } from '../users/account.ts'
import { confirmsAddresses } from '../users/confirm.ts'
import { hasNoAccounts } from '../users/create-first.ts'
import { createPerson } from '../users/create.ts'
import type { Identity } from './identity.ts'
import { deleteIdentity, findAccountOf, insertIdentity, listIdentities } from './queries.ts'

/**
 * Whose account it is: linked before, by an address that the provider vouches for, or new, as far
 * as the settings let it.
 */
export async function accountFor(ctx: Context, identity: Identity, trace: Trace): Promise<Account> {
  const account =
    (await findAccountOf(ctx.db, identity)) ??
    (await adoptByAddress(ctx, identity, trace)) ??
    (await register(ctx, identity))
  if (account) return account
  const { label } = ctx.config.openid
  throw invalid(
    `No account here belongs to ${calledThere(identity)} at ${label}. Sign in with your password and link the two in your settings, or ask an administrator.`,
  )
}

/** Of two that link it at once, one is first. */
async function adoptByAddress(
  ctx: Context,
  identity: Identity,
  trace: Trace,
): Promise<Account | undefined> {
  const { email, isEmailVerified } = identity
  if (!ctx.config.openid.trust_email || !isEmailVerified) return undefined
  const account = await findByAddress(ctx, email)
  if (!account) return undefined
  if (await link(ctx, account, identity, trace)) {
    ctx.log.info({ account: account.name, subject: identity.subject }, 'linked by its address')
  }
  return findAccountOf(ctx.db, identity)
}

/** Such an account has no password. */
async function register(ctx: Context, identity: Identity): Promise<Account | undefined> {
  // The first account is its administrator's, and made otherwise.
  if (!ctx.config.openid.auto_registration || (await hasNoAccounts(ctx))) return undefined
  if (identity.email === '') {
    const { label } = ctx.config.openid
    throw invalid(`${label} does not tell your e-mail address, so that no account can be made.`)
  }
  const person = {
    name: nameFor(identity),
    email: identity.email,
    fullName: [...identity.fullName].slice(0, MAX_FULL_NAME).join(''),
    awaitsConfirmation: confirmsAddresses(ctx) && !identity.isEmailVerified,
  }
  const linkFirst = async (tx: Executor, account: Account) => {
    if (!(await insertIdentity(tx, rowOf(ctx, account, identity)))) throw takenMeanwhile()
  }
  try {
    const account = await createPerson(ctx, person, { after: linkFirst })
    ctx.log.info({ account: account.name, subject: identity.subject }, 'registered by OpenID')
    return account
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const account = await findAccountOf(ctx.db, identity)
    if (account) return account
    throw invalid(
      `No account can be made for ${person.name}: ${error.message}. If you have one, sign in with its password and link the two in your settings.`,
      { cause: error },
    )
  }
}

function takenMeanwhile(): AppError {
  return new AppError('conflict', 'it belongs to an account already')
}

/** Some give a whole address as somebody's name. */
function nameFor({ name, email }: Identity): string {
  const [local = ''] = (name || email).split('@')
  const plain = local.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return plain
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/[._-]{2,}/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
    .slice(0, MAX_NAME)
    .replace(/[._-]+$/, '')
}

function calledThere({ name, email, subject }: Identity): string {
  return name || email || subject
}

function rowOf(ctx: Context, account: Account, identity: Identity): NewRow<'openid_identity'> {
  return {
    issuer: identity.issuer,
    subject: identity.subject,
    account_id: account.id,
    label: calledThere(identity),
    created_at: ctx.now(),
  }
}

/** Tells the owner; false where it is somebody's already. */
async function link(
  ctx: Context,
  account: Account,
  identity: Identity,
  trace: Trace,
): Promise<boolean> {
  return tellingTransaction(ctx, async (tx) => {
    if (!(await insertIdentity(tx, rowOf(ctx, account, identity)))) return false
    const changed = { what: 'identity_linked', named: calledThere(identity) } as const
    await tellOwner(ctx, tx, account, changed, trace)
    return true
  })
}

/** From now on the account is signed in to so. */
export async function linkAccount(
  ctx: Context,
  account: Account,
  identity: Identity,
  trace: Trace,
): Promise<void> {
  if (await link(ctx, account, identity, trace)) {
    ctx.log.info({ account: account.name, subject: identity.subject }, 'linked by its owner')
    return
  }
  const owner = await findAccountOf(ctx.db, identity)
  if (owner?.id === account.id) return
  const { label } = ctx.config.openid
  throw invalid(`${calledThere(identity)} at ${label} belongs to another account here.`)
}

export interface LinkedIdentity {
  readonly id: number
  readonly issuer: string
  /** What they were called there when it was linked. */
  readonly label: string
  readonly createdAt: number
}

export async function identitiesOf(
  ctx: Context,
  account: Account,
): Promise<readonly LinkedIdentity[]> {
  return (await listIdentities(ctx.db, account.id)).map((row) => ({
    id: row.id,
    issuer: row.issuer,
    label: row.label,
    createdAt: row.created_at,
  }))
}

/** Not the last one of who could not come in otherwise. */
export async function unlinkIdentity(
  ctx: Context,
  account: Account,
  id: number,
  trace: Trace,
): Promise<void> {
  await tellingTransaction(ctx, async (tx) => {
    // Of two at once, the second sees what the first has left.
    const isHeld = await holdAsLoaded(tx, account, ctx.now())
    if (!isHeld || !(await deleteIdentity(tx, account.id, id))) throw notFound()
    const left = await listIdentities(tx, account.id)
    if (!hasPassword(account) && left.length === 0) throw invalid('Set a password first.')
    await tellOwner(ctx, tx, account, { what: 'identity_unlinked' }, trace)
  })
}
