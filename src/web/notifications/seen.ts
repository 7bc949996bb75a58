import { signedIn } from '../../platform/http/call.ts'
import { markIssueRead, markRepositoryRead } from '../../outbound/notifications/threads.ts'
import type { Look } from '../look.ts'
import type { Visit } from '../repository/visit.ts'
import { countNews } from '../viewer.ts'

/** Whoever opens the page of an issue or a pull request has read what they were told of it. */
export async function markSeen(visit: Visit, { id }: { readonly id: number }): Promise<void> {
  const { ctx, viewer, request } = visit
  if (!viewer.account) return
  if (await markIssueRead(ctx, signedIn(viewer), id)) await countNews(ctx, request, viewer)
}

/**
 * Whoever opens a repository has read what they were told of it. Most people have nothing to read.
 */
export async function markRepositorySeen(
  { ctx, viewer, request }: Pick<Look, 'ctx' | 'viewer' | 'request'>,
  { id }: { readonly id: number },
): Promise<void> {
  if (!viewer.account || request.unread === 0) return
  if (await markRepositoryRead(ctx, signedIn(viewer), id)) await countNews(ctx, request, viewer)
}
