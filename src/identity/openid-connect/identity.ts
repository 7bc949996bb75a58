import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { readJwt } from '../oauth2-server/jwt.ts'
import type { Attempt } from './attempt.ts'
import {
  callbackAddress,
  fetchFields,
  textOf,
  unusable,
  type Fields,
  type Provider,
} from './provider.ts'
import { isSignedBy } from './signature.ts'

/** Somebody as the provider knows them. */
export interface Identity {
  readonly issuer: string
  /** Theirs for ever, and nobody else's. */
  readonly subject: string
  /** What they are called there; empty where it does not say. */
  readonly name: string
  readonly fullName: string
  readonly email: string
  readonly isEmailVerified: boolean
}

/** Clocks differ. */
const LEEWAY_SECONDS = 60
const MAX_TEXT = 255

/** Who it was that the provider has sent back with `code`. */
export async function redeemCode(
  ctx: Context,
  provider: Provider,
  attempt: Attempt,
  code: string,
): Promise<Identity> {
  const tokens = await fetchTokens(ctx, provider, attempt, code)
  const claims = await readClaims(ctx, provider, attempt, textOf(tokens, 'id_token') ?? '')
  const token = textOf(tokens, 'access_token')
  const isTold = textOf(claims, 'email') !== undefined
  const told = isTold || token === undefined ? {} : await askMore(ctx, provider, claims, token)
  return toIdentity({ ...told, ...claims })
}

async function fetchTokens(
  ctx: Context,
  { tokenEndpoint, takesBasic }: Provider,
  { verifier }: Attempt,
  code: string,
): Promise<Fields> {
  const { client_id: id, client_secret: secret } = ctx.config.openid
  const isBasic = takesBasic && secret !== ''
  const credentials = [id, secret].map(encodeURIComponent).join(':')
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callbackAddress(ctx),
    code_verifier: verifier,
    ...(!isBasic && { client_id: id }),
    ...(!isBasic && secret !== '' && { client_secret: secret }),
  }
  return fetchFields(ctx, tokenEndpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
    body: new URLSearchParams(fields).toString(),
  })
}

/** What the provider has signed for this server, for this attempt and for now. */
async function readClaims(
  ctx: Context,
  { issuer, keysAddress }: Provider,
  { nonce }: Attempt,
  token: string,
): Promise<Fields> {
  const { keys } = await fetchFields(ctx, keysAddress)
  const known = Array.isArray(keys) ? (keys as readonly Fields[]) : []
  const claims = readSigned(known, token)
  const problem = claims
    ? problemOf(ctx, claims, { issuer, nonce })
    : 'it is not signed by its keys'
  if (!claims || problem !== undefined) throw unusable(ctx, `its token is refused: ${problem}`)
  return claims
}

function readSigned(keys: readonly Fields[], token: string): Fields | undefined {
  try {
    return readJwt(token, (text, signature) => isSignedBy(keys, text, signature))
  } catch {
    return undefined
  }
}

function problemOf(
  { config, now }: Context,
  claims: Fields,
  { issuer, nonce }: { readonly issuer: string; readonly nonce: string },
): string | undefined {
  const { client_id: own } = config.openid
  const { iss, aud, azp, exp, iat, sub } = claims
  const audience = [aud].flat()
  if (iss !== issuer) return 'another one has made it'
  if (!audience.includes(own)) return 'it is for somebody else'
  if ((azp !== undefined || audience.length > 1) && azp !== own)
    return 'somebody else has asked for it'
  if (claims['nonce'] !== nonce) return 'it is for another attempt'
  if (typeof exp !== 'number' || exp + LEEWAY_SECONDS <= now()) return 'it has expired'
  if (typeof iat !== 'number' || iat - LEEWAY_SECONDS > now()) return 'it is of the future'
  const isSubject = typeof sub === 'string' && sub.length <= MAX_TEXT && /^\P{Cc}+$/u.test(sub)
  return isSubject ? undefined : 'it is about nobody'
}

/** Some tell more only where they are asked for it. */
async function askMore(
  ctx: Context,
  { userInfoEndpoint }: Provider,
  claims: Fields,
  token: string,
): Promise<Fields> {
  if (userInfoEndpoint === undefined) return {}
  const headers = { authorization: `Bearer ${token}` }
  const told = await fetchFields(ctx, userInfoEndpoint, { headers })
  if (told['sub'] === claims['sub']) return told
  throw unusable(ctx, 'it tells of somebody else')
}

function toIdentity(claims: Fields): Identity {
  return {
    issuer: textOf(claims, 'iss') ?? '',
    subject: textOf(claims, 'sub') ?? '',
    name: lineOf(claims, 'preferred_username'),
    fullName: lineOf(claims, 'name'),
    email: lineOf(claims, 'email'),
    isEmailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
  }
}

/** People may call themselves what they like there. */
function lineOf(claims: Fields, name: string): string {
  return (textOf(claims, name) ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, MAX_TEXT)
}

/** What the provider says when it sends somebody back without a code. */
export function assertNotRefused(ctx: Context, error: string | undefined): void {
  if (error === undefined) return
  const { label } = ctx.config.openid
  if (error === 'access_denied') throw invalid(`${label} was told not to sign you in.`)
  throw unusable(ctx, `it answered ${error.slice(0, 100)}`)
}
