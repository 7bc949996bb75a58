import { dropAttachments } from '../../repositories/attachments/drop.ts'
import type { Context } from '../../platform/context.ts'
import type { Guard } from '../../platform/db/guard.ts'
import { recount } from '../milestones/tally.ts'
import type { Issue } from './issue.ts'
import { changeIssue } from './load.ts'
import { closeGap } from './pin-queries.ts'
import { addToOpen, deleteIssue } from './queries.ts'

/**
 * With its comments, activities, files and all else that hangs on it. Its number is not given
 * again.
 */
export async function removeIssue(ctx: Context, issue: Issue, guard?: Guard<Issue>): Promise<void> {
  await changeIssue(ctx, issue, async (tx, current) => {
    await guard?.(tx, current)
    await dropAttachments(ctx, tx, { issueIds: [current.id] })
    if (current.pinOrder > 0) await closeGap(tx, current, current.pinOrder)
    await deleteIssue(tx, current.id)
    if (!current.isClosed) await addToOpen(tx, current, -1)
    await recount(tx, current, undefined)
  })
  ctx.jobs.wake()
}
