import { recordAttachment } from '../../repositories/attachments/create.ts'
import { discardFile, type ReceivedFile } from '../../platform/files/receive.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { createIssue, type NewIssue } from '../issues/create.ts'
import type { Issue } from '../issues/issue.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'

/** An issue and the files that were chosen for it: all of it is made, or nothing. */
export async function createIssueWithFiles(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  wanted: NewIssue,
  files: readonly ReceivedFile[],
): Promise<Issue> {
  try {
    return await createIssue(ctx, caller, view, wanted, {
      complete: async (tx, { id: issueId }) => {
        for (const file of files)
          await recordAttachment(ctx, tx, caller, { view, issueId }, { file })
      },
    })
  } catch (error) {
    if (!mayHaveCommitted(error)) for (const file of files) await discardFile(ctx, file)
    throw error
  }
}
