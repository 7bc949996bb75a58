import type { Comment } from '../../collaboration/comments/comment.ts'
import { signedIn } from '../../platform/http/call.ts'
import {
  canAttachToComment,
  canAttachToIssue,
} from '../../collaboration/issue-attachments/access.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { writesIssue } from '../../collaboration/issues/rights.ts'
import type { Visit } from '../repository/visit.ts'
import { formPath } from './paths.ts'

/** Where the files of an issue are sent to and deleted, for who may. */
export function filesPathOfIssue(visit: Visit, issue: Issue): string | undefined {
  const may = takesFiles(visit) && canAttachToIssue(visit.view, signedIn(visit.viewer), issue)
  return may ? formPath(visit, issue, 'attachments') : undefined
}

/** Where the files of a comment are sent to and deleted, for who may. */
export function filesPathOfComment(
  visit: Visit,
  issue: Issue,
  { id, authorId }: Pick<Comment, 'id' | 'authorId'>,
): string | undefined {
  const { isPull } = issue
  const may =
    takesFiles(visit) &&
    canAttachToComment(visit.view, signedIn(visit.viewer), { authorId, isPull })
  return may ? formPath(visit, issue, 'comments', String(id), 'attachments') : undefined
}

/**
 * Whether an issue that the viewer writes may come with files: whoever has written one attaches to
 * it.
 */
export function mayAttachToNew(visit: Visit): boolean {
  return takesFiles(visit) && visit.ctx.config.attachment.max_files > 0
}

/**
 * Whether a comment that the viewer writes may come with files: whoever may write one attaches to
 * it.
 */
export function mayAttachToReply(visit: Visit, issue: Issue): boolean {
  const isHeld = issue.isLocked && !writesIssue(visit.view, issue)
  return mayAttachToNew(visit) && !isHeld
}

function takesFiles({ ctx, viewer, view }: Visit): boolean {
  return ctx.config.attachment.enabled && viewer.account !== undefined && !view.repo.isArchived
}
