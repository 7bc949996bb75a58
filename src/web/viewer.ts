import type { FastifyRequest } from 'fastify'
import { viewerOf } from '../identity/callers/viewer.ts'
import type { Caller, Context } from '../platform/context.ts'
import { signedIn } from '../platform/http/call.ts'
import { countUnread } from '../outbound/notifications/threads.ts'

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
