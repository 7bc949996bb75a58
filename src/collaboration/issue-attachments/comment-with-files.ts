import { recordAttachment } from '../../repositories/attachments/create.ts'
import { discardFile, type ReceivedFile } from '../../platform/files/receive.ts'
import { addComment } from '../comments/change.ts'
import type { Comment } from '../comments/comment.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import type { Issue } from '../issues/issue.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'

/** A comment and the files that were chosen for it: all of it is made, or nothing. */
export async function addCommentWithFiles(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  { text, files }: { readonly text: string; readonly files: readonly ReceivedFile[] },
): Promise<Comment> {
  try {
    return await addComment(ctx, caller, view, issue, text, async (tx, { id: commentId }) => {
      const to = { view, issueId: issue.id, commentId }
      for (const file of files) await recordAttachment(ctx, tx, caller, to, { file })
    })
  } catch (error) {
    if (!mayHaveCommitted(error)) for (const file of files) await discardFile(ctx, file)
    throw error
  }
}
