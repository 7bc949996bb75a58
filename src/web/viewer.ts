import type { FastifyRequest } from 'fastify'
import { callerOfSession } from '../auth/sessions.ts'
import { anonymous, type Caller, type Context } from '../context.ts'
import { signedIn } from '../http/call.ts'
import { countUnread } from '../notifications/threads.ts'
import { sessionSecretOf } from './cookies.ts'

/** Who looks at a page: by the session of the browser, and by nothing else. */
export async function viewerOf(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const secret = sessionSecretOf(ctx.config, request)
  const caller = secret === undefined ? undefined : await callerOfSession(ctx, secret)
  request.caller = caller ?? anonymous
  return request.caller
}

/** More than one less than this is not told. */
export const MANY_UNREAD = 100

/** The same for a page, whose bar tells how much they have not read. */
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
