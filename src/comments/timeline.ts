import type { Caller, Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { Page } from '../db/page.ts'
import { isReadable, type IssueCondition } from '../issues/conditions.ts'
import type { Comment } from './comment.ts'
import { countTimeline, findLastComments, listTimeline, type TimeSpan } from './queries.ts'

/** Of each issue, as far as somebody has commented on it. */
export async function lastCommentsOf(
  db: Executor,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  return findLastComments(db, issueIds)
}

/** A page of all that was said about an issue and happened to it, oldest first, as far as the caller reads it. */
export async function timelineOf(
  ctx: Context,
  caller: Caller,
  issueId: number,
  span: TimeSpan,
  page: Page,
): Promise<readonly Comment[]> {
  return listTimeline(ctx.db, issueId, isSeenBy(ctx, caller), span, page)
}

/** How many entries it has in all. */
export async function lengthOfTimeline(
  ctx: Context,
  caller: Caller,
  issueId: number,
): Promise<number> {
  return countTimeline(ctx.db, issueId, isSeenBy(ctx, caller))
}

function isSeenBy({ config }: Context, caller: Caller): IssueCondition {
  return isReadable(config, caller, { issues: true, pulls: true })
}
