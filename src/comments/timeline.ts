import type { Executor } from '../db/database.ts'
import type { Page } from '../db/page.ts'
import type { Comment } from './comment.ts'
import { countTimeline, findLastComments, listTimeline, type TimeSpan } from './queries.ts'

/** Of each issue, as far as somebody has commented on it. */
export async function lastCommentsOf(
  db: Executor,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  return findLastComments(db, issueIds)
}

/** A page of all that was said about an issue and happened to it, oldest first. */
export async function timelineOf(
  db: Executor,
  issueId: number,
  span: TimeSpan,
  page: Page,
): Promise<readonly Comment[]> {
  return listTimeline(db, issueId, span, page)
}

/** How many entries it has in all. */
export async function lengthOfTimeline(db: Executor, issueId: number): Promise<number> {
  return countTimeline(db, issueId)
}
