import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import { isOfReadablePlace } from '../../collaboration/issues/conditions.ts'
import {
  countSomeThreads,
  countThreads,
  findThread,
  findThreads,
  listThreads,
  updateThread,
  updateThreads,
  type Status,
  type Thread,
  type ThreadFilter,
} from './queries.ts'
import { concernsOwner } from './repository-queries.ts'
import { viewThreads, type ThreadView } from './view.ts'

/** How many of those that were changed are shown. */
const MAX_SHOWN = 1000

/** Which news of somebody are meant; all of them unless it says otherwise. */
export type NewsFilter = Partial<Omit<ThreadFilter, 'accountId' | 'readable'>>

/** Newest first. */
export async function listNews(
  ctx: Context,
  caller: SignedInCaller,
  filter: NewsFilter,
  page: Page,
): Promise<PageOf<ThreadView>> {
  const found = await listThreads(ctx.db, newsOf(ctx, caller, filter), page)
  return { items: await viewThreads(ctx, caller, found.items), total: found.total }
}

/** Up to `atMost`, where nobody wants to know more. */
export async function countUnread(
  ctx: Context,
  caller: SignedInCaller,
  atMost?: number,
): Promise<number> {
  const unread = newsOf(ctx, caller, { statuses: ['unread'] })
  return atMost === undefined
    ? countThreads(ctx.db, unread)
    : countSomeThreads(ctx.db, unread, atMost)
}

/** Of others, and of what the caller reads no longer, there are none. */
export async function loadThread(
  ctx: Context,
  caller: SignedInCaller,
  id: number,
): Promise<Thread> {
  const thread = await findThread(ctx.db, newsOf(ctx, caller, {}), id)
  if (!thread) throw notFound()
  return thread
}

export async function markThread(ctx: Context, thread: Thread, status: Status): Promise<Thread> {
  await updateThread(ctx.db, thread.id, status)
  return { ...thread, status }
}

/** Those that were changed, as they are then. */
export async function markNews(
  ctx: Context,
  caller: SignedInCaller,
  filter: NewsFilter,
  status: Status,
): Promise<readonly ThreadView[]> {
  const changed = await updateThreads(ctx.db, newsOf(ctx, caller, filter), status)
  return viewThreads(ctx, caller, await findThreads(ctx.db, changed.slice(0, MAX_SHOWN)))
}

/** Whoever sees what is told of a repository has read it. */
export async function markRepositoryRead(
  ctx: Context,
  caller: SignedInCaller,
  repositoryId: number,
): Promise<boolean> {
  const kinds = { issues: false, pulls: false, repositories: true }
  const unread = newsOf(ctx, caller, { kinds, repositoryId, statuses: ['unread'] })
  if ((await countSomeThreads(ctx.db, unread, 1)) === 0) return false
  await updateThreads(ctx.db, unread, 'read')
  return true
}

/**
 * What is pinned stays so. Says whether there was anything to mark; mostly there is not, and then
 * nothing is written.
 */
export async function markIssueRead(
  ctx: Context,
  caller: SignedInCaller,
  issueId: number,
): Promise<boolean> {
  const unread = newsOf(ctx, caller, { issueId, statuses: ['unread'] })
  if ((await countSomeThreads(ctx.db, unread, 1)) === 0) return false
  await updateThreads(ctx.db, unread, 'read')
  return true
}

function newsOf({ config }: Context, caller: SignedInCaller, filter: NewsFilter): ThreadFilter {
  const kinds = { issues: true, pulls: true, repositories: true }
  const { id } = caller.account
  const readable: ThreadFilter['readable'] = (eb) =>
    eb.or([
      eb.and([
        eb('notification.is_repository', '=', 0),
        isOfReadablePlace('notification', config, caller, kinds),
      ]),
      eb.and([eb('notification.is_repository', '=', 1), concernsOwner(id)]),
    ])
  return { kinds, ...filter, accountId: caller.account.id, readable }
}
