import { signedIn } from '../../http/call.ts'
import { markIssueRead } from '../../notifications/threads.ts'
import type { Visit } from '../repository/visit.ts'
import { countNews } from '../viewer.ts'

/** Whoever opens the page of an issue or a pull request has read what they were told of it. */
export async function markSeen(visit: Visit, { id }: { readonly id: number }): Promise<void> {
  const { ctx, viewer, request } = visit
  if (!viewer.account) return
  if (await markIssueRead(ctx, signedIn(viewer), id)) await countNews(ctx, request, viewer)
}
