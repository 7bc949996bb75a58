import { randomBytes } from 'node:crypto'
import type { Caller, Context, Credential } from '../../platform/context.ts'
import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { isGranted } from '../oauth2-server/grants.ts'
import type { Account } from '../users/account.ts'
import { findById } from '../users/load.ts'
import {
  deleteAccessToken,
  findAccessToken,
  findAccessTokenByName,
  insertAccessToken,
  listAccessTokens,
  type AccessToken,
} from './queries.ts'
import { covers, isEmptyScope, limitsOf, readScopes, scopeNames, type Scopes } from './scopes.ts'
import { tellingTransaction, tellOwner, type Trace } from './security-news.ts'
import { hasSession } from './session-queries.ts'

export interface NewToken {
  readonly name: string
  readonly scopes: readonly string[]
}

/** Makes a token for `owner`. The secret is returned here and kept nowhere. */
export async function createToken(
  ctx: Context,
  owner: Account,
  { name, scopes }: NewToken,
  parent: Credential = { kind: 'none' },
  trace?: Trace,
): Promise<{ token: AccessToken; secret: string }> {
  if (await findAccessTokenByName(ctx.db, owner.id, name)) throw nameUsed()
  const wanted = readScopes(scopes)
  if (isEmptyScope(wanted)) throw scopeMissing()
  const granted = limitToParent(wanted, parent)
  const secret = randomBytes(20).toString('hex')
  try {
    const token = await tellingTransaction(ctx, async (tx) => {
      await tellOwner(ctx, tx, owner, { what: 'token_added', named: name }, trace)
      return insertAccessToken(tx, {
        account_id: owner.id,
        name,
        hash: ctx.secrets.hash('access-token', secret),
        last_eight: secret.slice(-8),
        scopes: scopeNames(granted).join(','),
        created_at: ctx.now(),
      })
    })
    return { token, secret }
  } catch (error) {
    if (isDuplicate(error)) throw nameUsed(error)
    throw error
  }
}

/** With the time of their last use, as far as it is known now. */
export async function listTokens(
  ctx: Context,
  owner: Account,
  page: Page,
): Promise<PageOf<AccessToken>> {
  await ctx.lastUse.flush()
  return listAccessTokens(ctx.db, owner.id, page)
}

/** By id, or by name when it is not a number. */
export async function removeToken(
  ctx: Context,
  owner: Account,
  idOrName: string,
  trace: Trace,
): Promise<void> {
  if (/^[+-]?\d+$/.test(idOrName)) {
    const id = Number(idOrName)
    const token = Number.isSafeInteger(id) ? await findAccessToken(ctx.db, id) : undefined
    const isRemoved = token?.accountId === owner.id && (await remove(ctx, owner, token, trace))
    if (!isRemoved) throw notFound('access token not found')
    return
  }
  const token = await findAccessTokenByName(ctx.db, owner.id, idOrName)
  if (!token || !(await remove(ctx, owner, token, trace))) throw notFound()
}

/** Whoever acts for somebody else calls with a token of their own. */
export async function removeOwnToken(
  ctx: Context,
  token: AccessToken,
  trace: Trace,
): Promise<void> {
  const owner = await findById(ctx, token.accountId)
  if (owner) await remove(ctx, owner, token, trace)
}

async function remove(
  ctx: Context,
  owner: Account,
  { id, name }: AccessToken,
  trace: Trace,
): Promise<boolean> {
  return tellingTransaction(ctx, async (tx) => {
    if (!(await deleteAccessToken(tx, owner.id, id))) return false
    await tellOwner(ctx, tx, owner, { what: 'token_removed', named: name }, trace)
    return true
  })
}

/** A token cannot make one that reaches further than itself. */
function limitToParent(wanted: Scopes, parent: Credential): Scopes {
  const held = limitsOf(parent)
  if (!held) return wanted
  if (!covers(held, wanted)) {
    throw forbidden(
      'cannot create an access token with a broader scope than the authenticating token',
    )
  }
  return { levels: wanted.levels, publicOnly: wanted.publicOnly || held.publicOnly }
}

export function scopeMissing(): AppError {
  return new AppError('bad_request', 'access token must have a scope', { reason: 'scope_missing' })
}

function nameUsed(cause?: unknown): AppError {
  return new AppError('bad_request', 'access token name has been used already', {
    cause,
    reason: 'name_taken',
  })
}

/**
 * Whether what the caller came with is good still; only tokens, grants and sessions are taken back
 * one by one.
 */
export async function isCredentialGood(db: Executor, { credential }: Caller): Promise<boolean> {
  if (credential.kind === 'session') return hasSession(db, credential.id)
  if (credential.kind === 'grant') return isGranted(db, credential.id)
  if (credential.kind !== 'token') return true
  return (await findAccessToken(db, credential.id)) !== undefined
}
