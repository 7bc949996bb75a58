import type { FastifyRequest } from 'fastify'
import { callerByProxy } from '../auth/proxy-login.ts'
import { callerOfSession, isUsable } from '../auth/sessions.ts'
import {
  anonymous,
  type Caller,
  type Context,
  type SignedInCaller,
} from '../../platform/context.ts'
import { vouchedIn } from '../../platform/http/proxy-word.ts'
import { sessionSecretOf } from './cookies.ts'

/**
 * Who looks at a page: by the word of a trusted proxy, where it counts, or by the session of the
 * browser.
 */
export async function viewerOf(ctx: Context, request: FastifyRequest): Promise<Caller> {
  request.caller =
    (await viewerByProxy(ctx, request)) ?? (await viewerBySession(ctx, request)) ?? anonymous
  return request.caller
}

async function viewerBySession(
  ctx: Context,
  request: FastifyRequest,
): Promise<SignedInCaller | undefined> {
  const secret = sessionSecretOf(ctx.config, request)
  return secret === undefined ? undefined : callerOfSession(ctx, secret)
}

async function viewerByProxy(
  ctx: Context,
  request: FastifyRequest,
): Promise<SignedInCaller | undefined> {
  if (!ctx.config.proxy_login.web || !isLedHere(request)) return undefined
  const vouched = vouchedIn(ctx, request)
  const caller = vouched && (await callerByProxy(ctx, vouched))
  return caller && isUsable(caller.account) ? caller : undefined
}

/** As with our cookie: other sites lead people here, and embed nothing in their name. */
function isLedHere({ method, headers }: FastifyRequest): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return true
  return method === 'GET' && headers['sec-fetch-dest'] === 'document'
}

/** Whether the server shows nothing to those who are not signed in, or nothing that costs much. */
export function mustSignIn(
  { config }: Pick<Context, 'config'>,
  { account }: Caller,
  isCostly = false,
): boolean {
  const { require_sign_in: asked } = config.security
  return account === undefined && (asked === 'true' || (isCostly && asked === 'expensive'))
}
