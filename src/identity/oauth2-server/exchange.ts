import { hash, randomBytes } from 'node:crypto'
import { findClient, isSecretOf } from '../oauth2-applications/applications.ts'
import type { Application } from '../oauth2-applications/queries.ts'
import { logFailedSignIn } from '../../platform/audit.ts'
import { isSameTarget } from '../oauth2-applications/redirect-uri.ts'
import { isSameSecret } from '../../platform/same-secret.ts'
import type { Context } from '../../platform/context.ts'
import { MissingParent } from '../../platform/db/missing-parent.ts'
import type { Account } from '../users/account.ts'
import { newAccessToken } from './access-token.ts'
import { hashCode } from './authorize.ts'
import { OAuthError } from './error.ts'
import { newIdentityToken } from './identity.ts'
import {
  claim,
  deleteGrant,
  findCode,
  findGrant,
  findRefreshToken,
  insertRefreshToken,
} from './queries.ts'
import { tells } from './scope.ts'

/** A program may lose an answer, or ask twice at once. */
const GRACE_SECONDS = 60

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
  readonly identityToken: string | undefined
}

export interface ClientCredentials {
  readonly id: string
  readonly secret: string
}

/**
 * The application that calls. A secret that is given is right, and one that was given out is shown.
 */
export async function loadClient(
  ctx: Context,
  { id, secret }: ClientCredentials,
): Promise<Application> {
  const client = await findClient(ctx, id)
  const isProved =
    client && (secret === '' ? !client.isConfidential : isSecretOf(ctx, client, secret))
  if (isProved) return client
  const reason = client ? 'wrong client secret' : 'unknown client'
  logFailedSignIn(ctx.log, { name: id, by: 'client secret', reason })
  throw new OAuthError('invalid_client', 'Client id and secret do not fit together.')
}

export interface PresentedCode {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/**
 * A code that comes a second time has been stolen at one of them: nothing that came of it stays.
 */
export async function exchangeCode(
  ctx: Context,
  client: Application,
  { code, redirectUri, verifier }: PresentedCode,
): Promise<Tokens> {
  const codeHash = hashCode(ctx, code)
  const found = await findCode(ctx.db, codeHash, client.id)
  if (!found || found.expires_at <= ctx.now()) throw unknownCode()
  if (!(await claim(ctx.db, 'oauth2_code', codeHash, ctx.now()))) {
    await deleteGrant(ctx.db, found.grant_id)
    throw unknownCode()
  }
  if (
    !isSameTarget(client, redirectUri, found.redirect_uri) &&
    !leavesNoDoubt(client, redirectUri)
  ) {
    throw new OAuthError('invalid_grant', 'The code was given for another redirect_uri.')
  }
  if (!fits(found.challenge, verifier)) {
    throw new OAuthError('invalid_grant', 'The code_verifier does not fit the code_challenge.')
  }
  return issueTokens(ctx, client, found.grant_id, found.nonce)
}

function unknownCode(): OAuthError {
  return new OAuthError('invalid_grant', 'The code is unknown, was used before, or has expired.')
}

/** Where there is one address only, it need not be named. */
function leavesNoDoubt({ redirectUris }: Application, redirectUri: string): boolean {
  return redirectUri === '' && redirectUris.length === 1
}

function fits(challenge: string, verifier: string): boolean {
  if (challenge === '') return verifier === ''
  return isSameSecret(hash('sha256', verifier, 'base64url'), challenge)
}

/** Who shows a secret with it may use a refresh token again; from anybody else it is taken once. */
export async function refreshTokens(
  ctx: Context,
  client: Application,
  token: string,
): Promise<Tokens> {
  const tokenHash = hashRefreshToken(ctx, token)
  const found = await findRefreshToken(ctx.db, tokenHash, client.id)
  if (!found || found.expires_at <= ctx.now()) throw unknownToken()
  const isFirst = await claim(ctx.db, 'oauth2_refresh_token', tokenHash, ctx.now())
  const isRepeated = !isFirst && found.used_at > 0 && ctx.now() - found.used_at > GRACE_SECONDS
  if (isRepeated && !client.isConfidential) {
    await deleteGrant(ctx.db, found.grant_id)
    throw unknownToken()
  }
  return issueTokens(ctx, client, found.grant_id, '')
}

function unknownToken(): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token is unknown, was used, or has expired.')
}

async function issueTokens(
  ctx: Context,
  client: Application,
  grantId: number,
  nonce: string,
): Promise<Tokens> {
  const grant = await findGrant(ctx.db, grantId)
  if (!grant || !isUsable(grant.account)) {
    throw new OAuthError('invalid_grant', 'The account cannot be used.')
  }
  return {
    accessToken: newAccessToken(ctx, grant.id),
    refreshToken: await newRefreshToken(ctx, grant.id),
    expiresIn: ctx.config.oauth2.access_token_lifetime,
    identityToken: tells(grant.scope, 'openid')
      ? await newIdentityToken(ctx, client, grant, nonce)
      : undefined,
  }
}

/** The grant may have ended at this moment. */
async function newRefreshToken(ctx: Context, grantId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  try {
    await insertRefreshToken(ctx.db, {
      hash: hashRefreshToken(ctx, token),
      grant_id: grantId,
      expires_at: ctx.now() + ctx.config.oauth2.refresh_token_lifetime,
    })
  } catch (error) {
    if (error instanceof MissingParent) throw unknownToken()
    throw error
  }
  return token
}

function isUsable({ isActive, prohibitLogin, mustChangePassword }: Account): boolean {
  return isActive && !prohibitLogin && !mustChangePassword
}

export function hashRefreshToken({ secrets }: Context, token: string): string {
  return secrets.hash('oauth2-refresh-token', token)
}
