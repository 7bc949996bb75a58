import { hash, randomBytes } from 'node:crypto'
import { isSameSecret } from '../../platform/same-secret.ts'
import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { callbackAddress, type Provider } from './provider.ts'

export const ATTEMPT_SECONDS = 600
/** Browsers keep no cookie that is longer than four kilobytes. */
const MAX_PATH = 2000

/** What a browser takes along to the provider and back: nobody else can end what it has begun. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Where to go then. */
  readonly redirectTo: string
  /** The account that is to be signed in to so from now on; absent where somebody signs in. */
  readonly linksTo?: number | undefined
  readonly startedAt: number
}

export function newAttempt(
  ctx: Context,
  { redirectTo, linksTo }: Pick<Attempt, 'redirectTo' | 'linksTo'>,
): Attempt {
  const [state, nonce, verifier] = [randomText(), randomText(), randomText()]
  const kept = redirectTo.length > MAX_PATH ? '/' : redirectTo
  return { state, nonce, verifier, redirectTo: kept, linksTo, startedAt: ctx.now() }
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

export function sealAttempt({ secrets }: Context, attempt: Attempt): string {
  return secrets.seal('openid-attempt', JSON.stringify(attempt))
}

/** The attempt of the browser that comes back with `state`. */
export function loadAttempt(ctx: Context, sealed: string | undefined, state: string): Attempt {
  const attempt = openAttempt(ctx, sealed ?? '')
  const isCurrent = attempt && attempt.startedAt > ctx.now() - ATTEMPT_SECONDS
  if (!isCurrent || !isSameSecret(state, attempt.state)) {
    throw invalid('This browser has not begun to sign in, or that was too long ago. Try again.')
  }
  return attempt
}

function openAttempt({ secrets }: Context, sealed: string): Attempt | undefined {
  try {
    return JSON.parse(secrets.unseal('openid-attempt', sealed)) as Attempt
  } catch {
    return undefined
  }
}

/** Where the provider asks somebody who they are. */
export function askingAddress(ctx: Context, provider: Provider, attempt: Attempt): string {
  const { client_id: clientId, scopes } = ctx.config.openid
  const url = new URL(provider.authorizationEndpoint)
  const question = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callbackAddress(ctx),
    scope: [...new Set(['openid', ...scopes])].join(' '),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: hash('sha256', attempt.verifier, 'base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(question)) url.searchParams.set(name, value)
  return url.href
}
