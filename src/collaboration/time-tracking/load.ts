import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { isReadable } from '../issues/conditions.ts'
import type { Issue } from '../issues/issue.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { findRunning, findTimes, listTimes } from './queries.ts'
import { managesTimes } from './rights.ts'
import type { TrackedTime } from './tracked-time.ts'

export async function timesById(
  db: Executor,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, TrackedTime>> {
  return findTimes(db, [...new Set(ids)])
}

/** What was spent on an issue: by the caller, or by everybody for who manages times. */
export async function timesSeenBy(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  page: Page,
): Promise<PageOf<TrackedTime>> {
  const readable = isReadable(ctx.config, caller, { issues: true, pulls: true })
  const accountId = managesTimes(caller, view) ? undefined : caller.account.id
  return listTimes(ctx.db, { issueId: issue.id, accountId, readable }, page)
}

/** Whether the caller's stopwatch runs on this issue. */
export async function isRunningOn(
  ctx: Context,
  { account }: SignedInCaller,
  { id }: Issue,
): Promise<boolean> {
  return (await findRunning(ctx.db, account.id)) === id
}
