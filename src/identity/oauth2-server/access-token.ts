import { randomUUID } from 'node:crypto'
import { isSameSecret } from '../../platform/same-secret.ts'
import type { Context } from '../../platform/context.ts'
import { readJwt, writeJwt, type Sign } from './jwt.ts'

export interface AccessToken {
  readonly grantId: number
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Good for a while, as long as the grant is there. */
export function newAccessToken(ctx: Context, grantId: number): string {
  const now = ctx.now()
  const exp = now + ctx.config.oauth2.access_token_lifetime
  return writeJwt({ alg: 'HS256' }, { gnt: grantId, iat: now, exp, jti: randomUUID() }, signer(ctx))
}

/** Longer ones are none of ours. */
const MAX_LENGTH = 1024

export function readAccessToken(ctx: Context, token: string): AccessToken | undefined {
  if (token.length > MAX_LENGTH) return undefined
  const sign = signer(ctx)
  const claims = readJwt(token, (text, signature) => isSameSecret(signature, sign(text)))
  const expiresAt = Number(claims?.['exp'])
  if (!claims || !(expiresAt > ctx.now())) return undefined
  return { grantId: Number(claims['gnt']), issuedAt: Number(claims['iat']), expiresAt }
}

function signer({ secrets }: Context): Sign {
  return (text) =>
    Buffer.from(secrets.hash('oauth2-access-token', text), 'hex').toString('base64url')
}
