import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { loadIssueById } from '../issues/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Comment } from './comment.ts'
import { findComment, listCommentsOf, type TimeSpan } from './queries.ts'
import { viewComments, type CommentView } from './view.ts'

/**
 * A comment or event with its issue; of another repository, or on what the caller does not read,
 * there is none.
 */
export async function loadComment(
  ctx: Context,
  view: RepositoryView,
  id: number,
): Promise<{ readonly comment: Comment; readonly issue: Issue }> {
  const comment = await findComment(ctx.db, id)
  if (!comment) throw notFound()
  return { comment, issue: await loadIssueById(ctx, view, comment.issueId) }
}

/** All that was said about an issue, oldest first. */
export async function listComments(
  ctx: Context,
  issue: Issue,
  span: TimeSpan,
): Promise<readonly CommentView[]> {
  await ctx.downloadCounts.flush()
  return viewComments(ctx.db, await listCommentsOf(ctx.db, issue.id, span), { issue })
}

/** Seen by nobody in particular: for what is shown to those who may see it. */
export async function commentById(db: Executor, id: number): Promise<Comment | undefined> {
  return findComment(db, id)
}
