import { randomBytes } from 'node:crypto'
import { findClient } from '../oauth2-applications/applications.ts'
import { isRegistered } from '../oauth2-applications/redirect-uri.ts'
import type { Application } from '../oauth2-applications/queries.ts'
import type { Context } from '../../platform/context.ts'
import { MissingParent } from '../../platform/db/missing-parent.ts'
import { AppError } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { OAuthError } from './error.ts'
import { findScope, insertCode, upsertGrant } from './queries.ts'
import { normalScope } from './scope.ts'

const CODE_LIFETIME = 600

/** What an application asks somebody for. */
export interface Wish {
  readonly client: Application
  readonly redirectUri: string
  readonly state: string
  readonly scope: string
  readonly nonce: string
  readonly challenge: string
  /** Why it is not to be had, which the application is told. */
  readonly problem: OAuthError | undefined
}

/**
 * From an address that leads here. Where it does not say truly who asks, nobody is led back there.
 */
export async function readWish(ctx: Context, given: URLSearchParams): Promise<Wish> {
  const client = await findClient(ctx, given.get('client_id') ?? '')
  if (!client) throw unknownClient()
  const redirectUri = given.get('redirect_uri') ?? onlyOne(client.redirectUris)
  if (!isRegistered(client, redirectUri)) {
    throw new AppError('bad_request', 'The application is not registered for this redirect_uri.')
  }
  return {
    client,
    redirectUri,
    state: given.get('state') ?? '',
    scope: normalScope(given.get('scope') ?? ''),
    // PostgreSQL would not hear of a NUL.
    nonce: (given.get('nonce') ?? '').replaceAll('\0', ''),
    challenge: given.get('code_challenge') ?? '',
    problem: problemOf(client, given),
  }
}

function unknownClient(): AppError {
  return new AppError('bad_request', 'No application is registered by this client_id.')
}

function onlyOne([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : ''
}

/** Who has no secret to show later has to prove by a challenge that it was the one to ask. */
function problemOf(
  { isConfidential }: Application,
  given: URLSearchParams,
): OAuthError | undefined {
  if (given.get('response_type') !== 'code') {
    return new OAuthError('unsupported_response_type', 'Only code is supported.')
  }
  const challenge = given.get('code_challenge') ?? ''
  if (challenge === '') {
    if (isConfidential) return undefined
    return new OAuthError('invalid_request', 'PKCE is required for public clients.')
  }
  const isGood = given.get('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(challenge)
  return isGood ? undefined : new OAuthError('invalid_request', 'PKCE is supported with S256.')
}

/**
 * Whether the account has agreed to just this before, to an application that is known by more than
 * its word.
 */
export async function hasAgreed(ctx: Context, account: Account, wish: Wish): Promise<boolean> {
  const { client, scope } = wish
  if (!client.isConfidential && !client.skipsSecondaryAuthorization) return false
  return (await findScope(ctx.db, account.id, client.id)) === scope
}

/** Gives where to lead the browser: back, with a code for the application. */
export async function agree(ctx: Context, account: Account, wish: Wish): Promise<string> {
  const { client, scope, redirectUri, challenge, nonce } = wish
  const code = randomBytes(32).toString('base64url')
  const given = ctx.db.transaction().execute(async (tx) => {
    const grantId = await upsertGrant(tx, {
      account_id: account.id,
      application_id: client.id,
      scope,
      created_at: ctx.now(),
    })
    await insertCode(tx, {
      hash: hashCode(ctx, code),
      grant_id: grantId,
      redirect_uri: redirectUri,
      challenge,
      nonce,
      expires_at: ctx.now() + CODE_LIFETIME,
    })
  })
  await given.catch((error: unknown) => {
    // The application may have gone at this moment.
    throw error instanceof MissingParent ? unknownClient() : error
  })
  return wayBack(wish, { code })
}

/** Gives where to lead the browser: back, with the reason why the application gets no code. */
export function refuse(wish: Wish, { code, message }: OAuthError): string {
  return wayBack(wish, { error: code, error_description: message })
}

export function hashCode({ secrets }: Context, code: string): string {
  return secrets.hash('oauth2-code', code)
}

function wayBack({ redirectUri, state }: Wish, answer: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== '') url.searchParams.set('state', state)
  return url.href
}
