import type { Application } from '../oauth2-applications/queries.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { groupNamesOf } from '../organizations/memberships.ts'
import type { Account } from '../users/account.ts'
import { avatarUrl, placeholderEmail } from '../users/present.ts'
import { loadIdentityKey } from './identity-key.ts'
import { writeJwt, type Claims } from './jwt.ts'
import type { Grant } from './queries.ts'
import { tells } from './scope.ts'

/** Tells the application who has signed in, and that this server says so. */
export async function newIdentityToken(
  ctx: Context,
  client: Application,
  { account, scope }: Grant,
  nonce: string,
): Promise<string> {
  const now = ctx.now()
  const key = await loadIdentityKey(ctx)
  const claims = {
    iss: baseUrl(ctx.config),
    sub: String(account.id),
    aud: client.clientId,
    iat: now,
    exp: now + ctx.config.oauth2.access_token_lifetime,
    ...(nonce === '' ? {} : { nonce }),
    ...(tells(scope, 'profile') ? profileOf(ctx, account) : {}),
    ...(tells(scope, 'email') ? { email: account.email, email_verified: account.isActive } : {}),
    ...(tells(scope, 'groups') ? { groups: await groupNamesOf(ctx, account) } : {}),
  }
  return writeJwt({ alg: 'RS256', kid: key.id }, claims, key.sign)
}

function profileOf({ config }: Context, account: Account): Claims {
  return {
    name: account.fullName || account.name,
    preferred_username: account.name,
    profile: `${baseUrl(config)}/${account.name}`,
    picture: avatarUrl(config, account),
    website: account.website,
    locale: account.language,
  }
}

/** For whoever asks with a token; the e-mail address only where the token reaches that far. */
export async function describeIdentity(
  ctx: Context,
  account: Account,
  { withEmail }: { readonly withEmail: boolean },
): Promise<Claims> {
  return {
    sub: String(account.id),
    name: account.fullName || account.name,
    preferred_username: account.name,
    email: withEmail ? account.email : placeholderEmail(ctx.config, account),
    picture: avatarUrl(ctx.config, account),
    groups: await groupNamesOf(ctx, account),
  }
}
