import type { Application } from '../oauth2-applications/queries.ts'
import { isUsable } from '../auth/sessions.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { readAccessToken } from './access-token.ts'
import { hashRefreshToken } from './exchange.ts'
import type { Claims } from './jwt.ts'
import { findGrant, findRefreshToken } from './queries.ts'

/** What a token is good for. Of what is not theirs, applications learn nothing. */
export async function describeToken(
  ctx: Context,
  client: Application,
  token: string,
): Promise<Claims> {
  const known = readAccessToken(ctx, token) ?? (await readRefreshToken(ctx, client, token))
  const grant = known && (await findGrant(ctx.db, known.grantId))
  if (!grant || grant.applicationId !== client.id || !isUsable(grant.account))
    return { active: false }
  return {
    active: true,
    scope: grant.scope,
    username: grant.account.name,
    iss: baseUrl(ctx.config),
    sub: String(grant.account.id),
    aud: client.clientId,
    exp: known.expiresAt,
  }
}

async function readRefreshToken(ctx: Context, client: Application, token: string) {
  const found = await findRefreshToken(ctx.db, hashRefreshToken(ctx, token), client.id)
  const isGood = found && found.used_at === 0 && found.expires_at > ctx.now()
  return isGood ? { grantId: found.grant_id, expiresAt: found.expires_at } : undefined
}
