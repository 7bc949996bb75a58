import type { Static } from 'typebox'
import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { formatTime, UNSET_TIME } from '../../platform/time.ts'
import type { Account } from '../users/account.ts'
import { loadVisibleAccount } from '../users/load.ts'
import { findAccessToken, type AccessToken } from './queries.ts'
import {
  CreateAccessTokenOption,
  deleteCurrentToken,
  getCurrentToken,
  userCreateToken,
  userDeleteAccessToken,
  userGetTokens,
  type AccessTokenBody,
} from './schema.ts'
import { scopeNames } from './scopes.ts'
import { createToken, listTokens, removeOwnToken, removeToken } from './tokens.ts'

export function tokenRoutes(api: Api, ctx: Context): void {
  api.get('/users/:username/tokens', userGetTokens, async (call) => {
    const owner = await loadTokenOwner(ctx, call)
    return call.list(await listTokens(ctx, owner, call.page), presentListed, { links: false })
  })

  api.post('/users/:username/tokens', userCreateToken, async (call) => {
    const owner = await loadTokenOwner(ctx, call)
    const { name, scopes = [] } = await call.body(CreateAccessTokenOption)
    const { token, secret } = await createToken(
      ctx,
      owner,
      { name, scopes },
      call.caller.credential,
      call.trace,
    )
    return created(presentNew(token, secret))
  })

  api.delete('/users/:username/tokens/:token', userDeleteAccessToken, async (call) => {
    const owner = await loadTokenOwner(ctx, call)
    await removeToken(ctx, owner, call.param('token'), call.trace)
    return noContent()
  })

  api.get('/token', getCurrentToken, async (call) => {
    const { account } = call.signedIn()
    await ctx.lastUse.flush()
    const token = await loadOwnToken(ctx, call.caller)
    return ok({
      id: token.id,
      name: token.name,
      scopes: [...scopeNames(token.scopes)],
      created_at: formatTime(token.createdAt),
      last_used_at: formatTime(token.lastUsedAt),
      user: { id: account.id, login: account.name },
    })
  })

  api.delete('/token', deleteCurrentToken, async (call) => {
    const token = await loadOwnToken(ctx, call.caller)
    await removeOwnToken(ctx, token, call.trace)
    return noContent()
  })
}

/**
 * Whoever manages tokens is the owner or an administrator, and has just shown a password or a token
 * in its place, or a proxy has.
 */
async function loadTokenOwner(ctx: Context, call: Call): Promise<Account> {
  const { caller } = call
  const owner = await loadVisibleAccount(ctx, caller, call.param('username'))
  if (caller.account?.id !== owner.id && !isSiteAdmin(caller)) {
    throw forbidden('doer should be the site admin or be same as the contextUser')
  }
  const { credential } = caller
  const basic =
    credential.kind === 'password' ||
    credential.kind === 'proxy' ||
    (credential.kind === 'token' && credential.sent === 'basic')
  if (!basic) throw new AppError('unauthenticated', 'auth required')
  return owner
}

/** Only a token in the Authorization header is "the token of this request". */
async function loadOwnToken(ctx: Context, { credential }: Caller): Promise<AccessToken> {
  const sent = credential.kind === 'token' && credential.sent === 'header' ? credential.id : 0
  const token = await findAccessToken(ctx.db, sent)
  if (!token) throw notFound('invalid access token')
  return token
}

type Shown = Static<typeof AccessTokenBody>

function presentListed(token: AccessToken): Shown {
  return {
    id: token.id,
    name: token.name,
    sha1: '',
    token_last_eight: token.lastEight,
    scopes: [...scopeNames(token.scopes)],
    created_at: formatTime(token.createdAt),
    last_used_at: formatTime(token.lastUsedAt),
  }
}

/** The times of a new token are not filled in, as in the reference. */
function presentNew(token: AccessToken, secret: string): Shown {
  return { ...presentListed(token), sha1: secret, created_at: UNSET_TIME, last_used_at: UNSET_TIME }
}
