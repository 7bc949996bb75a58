import type { Caller, Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Page } from '../../platform/db/page.ts'
import { isReadable } from '../issues/conditions.ts'
import type { Issue } from '../issues/issue.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Comment } from './comment.ts'
import {
  countTimeline,
  findLastComments,
  listTimeline,
  type Reader,
  type TimeSpan,
} from './queries.ts'

/** An issue, in its repository as somebody sees it. */
export interface IssueOf {
  readonly view: RepositoryView
  readonly issue: Pick<Issue, 'id'>
}

/** Of each issue, as far as somebody has commented on it. */
export async function lastCommentsOf(
  db: Executor,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  return findLastComments(db, issueIds)
}

/**
 * A page of all that was said about an issue and happened to it, oldest first, as far as the caller
 * reads it.
 */
export async function timelineOf(
  ctx: Context,
  caller: Caller,
  { view, issue }: IssueOf,
  span: TimeSpan,
  page: Page,
): Promise<readonly Comment[]> {
  return listTimeline(ctx.db, issue.id, readerOf(ctx, caller, view), span, page)
}

/** How many entries it has in all. */
export async function lengthOfTimeline(
  ctx: Context,
  caller: Caller,
  { view, issue }: IssueOf,
): Promise<number> {
  return countTimeline(ctx.db, issue.id, readerOf(ctx, caller, view))
}

function readerOf({ config }: Context, caller: Caller, view: RepositoryView): Reader {
  return {
    isSeen: isReadable(config, caller, { issues: true, pulls: true }),
    readsCode: readsUnit(view, 'repo.code'),
  }
}
