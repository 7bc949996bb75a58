import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, refused } from '../auth/authenticate.ts'
import type { Vouched } from '../auth/proxy-login.ts'
import { holds, limitsOf, scopeNames, type ScopeCategory, type ScopeLevel } from '../auth/scopes.ts'
import { isCredentialGood } from '../auth/tokens.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { findById, findByName } from '../users/load.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { isUrlEncoded, readForm } from '../../platform/http/body.ts'
import { signedIn } from '../../platform/http/call.ts'
import { isFromHereOrNoBrowser } from '../../platform/http/origin.ts'
import { vouchedIn } from '../../platform/http/proxy-word.ts'
import { Query } from '../../platform/http/query.ts'

const deprecation =
  'token and access_token API authentication is deprecated and will be removed in gitea 1.23. ' +
  'Please use AuthorizationHeaderToken instead. Existing queries will continue to work but without authorization.'

/** Who is calling, after everything that can be decided without looking at what the path names. */
export async function identify(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint?: Endpoint,
): Promise<Caller> {
  const parameter = await parametersOf(ctx, request, endpoint)
  const queryToken = parameter('token') || parameter('access_token') || undefined
  if (queryToken !== undefined) {
    reply.header('x-service-warning', deprecation).header('x-gitea-warning', deprecation)
  }
  const caller = await authenticate(ctx, {
    authorization: request.headers.authorization,
    queryToken,
    oneTimeCode: headerText(request, 'x-gitea-otp'),
    address: request.ip,
    vouched: vouchedForApi(ctx, request),
  })
  if (caller.account) assertUsable(ctx, caller.account)
  else if (ctx.config.security.require_sign_in === 'true') {
    throw forbidden('Only signed in user is allowed to call APIs.', { bare: true })
  }
  const target = parameter('sudo') || headerText(request, 'sudo')
  return target ? actAs(ctx, caller, target, endpoint) : caller
}

/** A proxy vouches for whatever a browser sends; what another site makes it send is nobody's. */
function vouchedForApi(ctx: Context, request: FastifyRequest): Vouched | undefined {
  if (!ctx.config.proxy_login.api) return undefined
  return isFromHereOrNoBrowser(ctx.config, request.headers) ? vouchedIn(ctx, request) : undefined
}

/** The caller as it is now, after a body that took its time to arrive. */
export async function identifyAgain(ctx: Context, caller: Caller): Promise<Caller> {
  const { account, credential } = caller
  if (!account) return caller
  const key = `${credential.kind} ${'id' in credential ? credential.id : ''} ${account.id}`
  const current = await ctx.accountCache.get(key, async () =>
    (await isCredentialGood(ctx.db, caller)) ? findById(ctx, account.id) : undefined,
  )
  if (!current) throw refused()
  assertUsable(ctx, current)
  return { ...caller, account: current }
}

/** By name, from a form before the query. */
async function parametersOf(
  ctx: Context,
  request: FastifyRequest,
  endpoint: Endpoint | undefined,
): Promise<(name: string) => string | undefined> {
  const query = new Query(request.query)
  if (!endpoint?.body || !isShortForm(ctx, request)) return (name) => query.text(name)
  // What is wrong with it is told to those who may send it.
  const form = await readForm(request.raw, ctx.config.api.max_body_size).catch(() => undefined)
  return (name) => form?.get(name) ?? query.text(name)
}

function isShortForm({ config }: Context, { method, headers }: FastifyRequest): boolean {
  const { 'content-type': type = '', 'content-length': length } = headers
  const isForm = method !== 'DELETE' && isUrlEncoded(type)
  return isForm && Number(length) <= config.api.max_body_size
}

/** What the endpoint asks of a credential: scopes, a signed-in caller, a site administrator. */
export function assertAdmitted(endpoint: Endpoint, caller: Caller, request: FastifyRequest): void {
  assertScopes(endpoint, caller, request.method)
  if (caller.publicOnly) assertPublicOnlyAdmitted(endpoint, caller)
  if (endpoint.access === 'signed-in') signedIn(caller)
  if (endpoint.access === 'site-admin') {
    signedIn(caller)
    if (!isSiteAdmin(caller)) throw forbidden('user should be the site admin')
  }
}

/** An account that may not be used is told so, with the right credential. */
export function assertUsable(ctx: Context, account: Account): void {
  if (!account.isActive && ctx.config.security.email_confirmation) {
    throw forbidden('This account is not activated.', { bare: true })
  }
  if (!account.isActive || account.prohibitLogin) {
    throw forbidden(
      'This account is prohibited from signing in, please contact your site administrator.',
      { bare: true },
    )
  }
  if (account.mustChangePassword) {
    const page = `${baseUrl(ctx.config)}/user/change_password`
    throw forbidden(`You must change your password. Change it at: ${page}`, { bare: true })
  }
}

/**
 * The request goes on as somebody else, within the limits of the administrator's own credential.
 */
async function actAs(
  ctx: Context,
  caller: Caller,
  name: string,
  endpoint: Endpoint | undefined,
): Promise<Caller> {
  if (!isSiteAdmin(caller)) throw forbidden('Only administrators allowed to sudo.', { bare: true })
  if (ctx.config.security.sudo_scope) assertHolds(caller, ['admin'], 'read')
  const account = await findByName(ctx, name)
  if (!account) throw notFound()
  const isOfKind = account.kind === 'person' || endpoint?.refusesOrganizations
  if (!isOfKind || account.prohibitLogin || !account.isActive) {
    throw forbidden('This account cannot be acted for.', { bare: true })
  }
  ctx.log.info({ administrator: caller.account?.name, account: account.name }, 'sudo')
  return { ...caller, account }
}

function assertScopes(endpoint: Endpoint, caller: Caller, method: string): void {
  const level = method === 'GET' || method === 'HEAD' ? 'read' : 'write'
  for (const entry of endpoint.scope) {
    assertHolds(caller, typeof entry === 'string' ? [entry] : entry, level)
  }
}

/** A token must hold all of `categories`; a password has no limits. */
export function assertHolds(
  { credential }: Caller,
  categories: readonly ScopeCategory[],
  level: ScopeLevel,
): void {
  const limits = limitsOf(credential)
  if (!limits || categories.every((category) => holds(limits, category, level))) return
  const required = categories.map((category) => `${level}:${category}`).join(' ')
  const held = scopeNames(limits).join(',')
  throw forbidden(
    `token does not have at least one of required scope(s), required=[${required}], token scope=${held}`,
  )
}

function assertPublicOnlyAdmitted({ publicOnly }: Endpoint, { account }: Caller): void {
  if (publicOnly === 'refused') {
    throw forbidden('this endpoint is not available for public-only tokens')
  }
  if (publicOnly === 'public account' && account?.visibility !== 'public') {
    throw forbidden('token scope is limited to public users')
  }
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
