import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { basePath, baseUrl } from '../../platform/config/urls.ts'

/** As long as browsers keep anything: the server decides when a session is over. */
const MAX_AGE = 400 * 86_400
const MAX_HEADER = 8_192

const SESSION = 'codestead_session'
/** Between the password and the second factor. */
const HALF_SIGN_IN = 'codestead_sign_in'
/** While somebody is at the OpenID provider. */
const ATTEMPT = 'codestead_openid'

export function sessionSecretOf(config: Config, request: FastifyRequest): string | undefined {
  return cookieOf(request, nameOf(config, SESSION))
}

export function setSessionCookie(config: Config, reply: FastifyReply, secret: string): void {
  reply.header(
    'set-cookie',
    writeCookie(config, nameOf(config, SESSION), secret, { isHidden: true }),
  )
}

export function clearSessionCookie(config: Config, reply: FastifyReply): void {
  const options = { isHidden: true, maxAge: 0 }
  reply.header('set-cookie', writeCookie(config, nameOf(config, SESSION), '', options))
}

export function halfSignInSecretOf(config: Config, request: FastifyRequest): string | undefined {
  return cookieOf(request, nameOf(config, HALF_SIGN_IN))
}

export function setHalfSignInCookie(
  config: Config,
  reply: FastifyReply,
  secret: string,
  maxAge: number,
): void {
  const options = { isHidden: true, maxAge }
  reply.header('set-cookie', writeCookie(config, nameOf(config, HALF_SIGN_IN), secret, options))
}

export function attemptOf(config: Config, request: FastifyRequest): string | undefined {
  return cookieOf(request, nameOf(config, ATTEMPT))
}

export function setAttemptCookie(
  config: Config,
  reply: FastifyReply,
  sealed: string,
  maxAge: number,
): void {
  const options = { isHidden: true, maxAge }
  reply.header('set-cookie', writeCookie(config, nameOf(config, ATTEMPT), sealed, options))
}

/** The first of that name. */
export function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  const { cookie = '' } = headers
  if (cookie.length > MAX_HEADER) return undefined
  const pair = cookie.split(';').find((one) => one.trimStart().startsWith(`${name}=`))
  return pair?.slice(pair.indexOf('=') + 1).trim()
}

export interface CookieOptions {
  /** From scripts. */
  readonly isHidden: boolean
  readonly maxAge?: number
}

export function writeCookie(
  config: Config,
  name: string,
  value: string,
  { isHidden, maxAge = MAX_AGE }: CookieOptions,
): string {
  return [
    `${name}=${value}`,
    `Path=${basePath(config) || '/'}`,
    `Max-Age=${maxAge}`,
    'SameSite=Lax',
    ...(isHidden ? ['HttpOnly'] : []),
    ...(isHttps(config) ? ['Secure'] : []),
  ].join('; ')
}

/**
 * Browsers take names that begin so only from the server itself, over https, and the first for its
 * whole site.
 */
function nameOf(config: Config, name: string): string {
  const prefix = isHttps(config) ? (basePath(config) === '' ? '__Host-' : '__Secure-') : ''
  return `${prefix}${name}`
}

function isHttps(config: Config): boolean {
  return new URL(baseUrl(config)).protocol === 'https:'
}
