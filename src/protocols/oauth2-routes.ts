import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import { holds, limitsOf } from '../identity/auth/scopes.ts'
import { baseUrl } from '../platform/config/urls.ts'
import type { Config } from '../platform/config/config.ts'
import type { Caller, Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { readBody } from '../platform/http/body.ts'
import { identify } from '../identity/callers/identify.ts'
import { statuses } from '../platform/http/errors.ts'
import { OAuthError } from '../identity/oauth2-server/error.ts'
import {
  exchangeCode,
  loadClient,
  refreshTokens,
  type ClientCredentials,
  type Tokens,
} from '../identity/oauth2-server/exchange.ts'
import { loadIdentityKey } from '../identity/oauth2-server/identity-key.ts'
import { describeIdentity } from '../identity/oauth2-server/identity.ts'
import { describeToken } from '../identity/oauth2-server/introspect.ts'
import { IntrospectionRequest, TokenRequest } from '../identity/oauth2-server/schema.ts'
import { tells } from '../identity/oauth2-server/scope.ts'

const MAX_BYTES = 65_536

/** What programs ask that sign people in here; where people are asked stands among the pages. */
export function grantPages(server: FastifyInstance, ctx: Context): void {
  server.post(
    '/login/oauth/access_token',
    telling(async (request) => {
      const body = await readFields(request, TokenRequest)
      return presentTokens(await tokensFor(ctx, credentialsOf(request, body), body))
    }),
  )

  server.post(
    '/login/oauth/introspect',
    telling(async (request) => {
      const body = await readFields(request, IntrospectionRequest)
      const client = await loadClient(ctx, credentialsOf(request, body))
      return describeToken(ctx, client, body.token ?? '')
    }),
  )

  server.route({
    method: ['GET', 'POST'],
    url: '/login/oauth/userinfo',
    handler: async (request, reply) => answerUserInfo(ctx, request, reply),
  })

  server.get('/login/oauth/keys', async () => ({ keys: [(await loadIdentityKey(ctx)).publicKey] }))
  server.get('/.well-known/openid-configuration', async () => describeServer(ctx.config))
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** What went wrong is told in the protocol's own words. Nothing of all this is for a cache. */
function telling(answer: (request: FastifyRequest) => Promise<object>): Handler {
  return async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    try {
      return await reply.send(await answer(request))
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const told = { error: error.code, error_description: error.message }
      return reply.status(statuses.bad_request).send(told)
    }
  }
}

async function readFields<T extends TObject>(
  request: FastifyRequest,
  schema: T,
): Promise<Static<T>> {
  try {
    return await readBody(request.raw, schema, MAX_BYTES)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    throw new OAuthError('invalid_request', error.message)
  }
}

interface Sent {
  readonly client_id?: string
  readonly client_secret?: string
}

/** In the header or among the fields; both have to agree. */
function credentialsOf({ headers }: FastifyRequest, body: Sent): ClientCredentials {
  const given = { id: body.client_id ?? '', secret: body.client_secret ?? '' }
  const [, encoded] = /^basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return given
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 2)
  const shown = { id: decoded(id), secret: decoded(secret) }
  const isContradicted =
    (given.id !== '' && given.id !== shown.id) ||
    (given.secret !== '' && given.secret !== shown.secret)
  if (isContradicted) throw new OAuthError('invalid_request', 'Two different clients are named.')
  return shown
}

/** As RFC 6749 has it, both parts are encoded as in a form. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part
  }
}

async function tokensFor(
  ctx: Context,
  credentials: ClientCredentials,
  body: Static<typeof TokenRequest>,
): Promise<Tokens> {
  const { grant_type: kind, code = '', redirect_uri: redirectUri = '' } = body
  if (kind !== 'authorization_code' && kind !== 'refresh_token') {
    const supported = 'Only authorization_code and refresh_token are supported.'
    throw new OAuthError('unsupported_grant_type', supported)
  }
  const client = await loadClient(ctx, credentials)
  if (kind === 'refresh_token') return refreshTokens(ctx, client, body.refresh_token ?? '')
  const verifier = body.code_verifier ?? ''
  return exchangeCode(ctx, client, { code, redirectUri, verifier })
}

function presentTokens({ accessToken, refreshToken, expiresIn, identityToken }: Tokens): object {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    ...(identityToken === undefined ? {} : { id_token: identityToken }),
  }
}

async function answerUserInfo(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const caller = await identify(ctx, request, reply).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unauthenticated') return undefined
    throw error
  })
  if (!caller?.account || !isToldIdentity(caller)) {
    const status = caller?.account ? statuses.forbidden : statuses.unauthenticated
    const problem = caller?.account ? 'insufficient_scope' : 'invalid_token'
    return reply
      .status(status)
      .header('www-authenticate', `Bearer realm="Codestead", error="${problem}"`)
      .send({ error: problem })
  }
  const withEmail = readsAccount(caller) || isTold(caller, 'email')
  return reply.send(await describeIdentity(ctx, caller.account, { withEmail }))
}

function isToldIdentity(caller: Caller): boolean {
  return readsAccount(caller) || isTold(caller, 'openid')
}

function isTold({ credential }: Caller, of: 'openid' | 'email'): boolean {
  return credential.kind === 'grant' && tells(credential.scope, of)
}

function readsAccount({ credential }: Caller): boolean {
  const limits = limitsOf(credential)
  return !limits || holds(limits, 'user', 'read')
}

function describeServer(config: Config): object {
  const root = baseUrl(config)
  return {
    issuer: root,
    authorization_endpoint: `${root}/login/oauth/authorize`,
    token_endpoint: `${root}/login/oauth/access_token`,
    jwks_uri: `${root}/login/oauth/keys`,
    userinfo_endpoint: `${root}/login/oauth/userinfo`,
    introspection_endpoint: `${root}/login/oauth/introspect`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    id_token_signing_alg_values_supported: ['RS256'],
    subject_types_supported: ['public'],
    scopes_supported: ['openid', 'profile', 'email', 'groups'],
    claims_supported: [
      'aud',
      'exp',
      'iat',
      'iss',
      'sub',
      'name',
      'preferred_username',
      'profile',
      'picture',
      'website',
      'locale',
      'email',
      'email_verified',
      'groups',
    ],
  }
}
