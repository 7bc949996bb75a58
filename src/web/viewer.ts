import type { FastifyRequest } from 'fastify'
import { callerByProxy } from '../auth/proxy-login.ts'
import { callerOfSession, isUsable } from '../auth/sessions.ts'
import { anonymous, type Caller, type Context, type SignedInCaller } from '../context.ts'
import { signedIn } from '../http/call.ts'
import { vouchedIn } from '../http/proxy-word.ts'
import { countUnread } from '../notifications/threads.ts'
import { sessionSecretOf } from './cookies.ts'

/** Who looks at a page: by the word of a trusted proxy, where it counts, or by the session of the browser. */
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

/** More than one less than this is not told. */
export const MANY_UNREAD = 100

/** Like `viewerOf`, for a page, whose bar tells how much they have not read. */
export async function viewerOfPage(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const viewer = await viewerOf(ctx, request)
  await countNews(ctx, request, viewer)
  return viewer
}

export async function countNews(
  ctx: Context,
  request: FastifyRequest,
  viewer: Caller,
): Promise<void> {
  if (viewer.account) request.unread = await countUnread(ctx, signedIn(viewer), MANY_UNREAD)
}
