import { recordEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Issue } from './issue.ts'
import { changeIssue } from './load.ts'
import { updateIssue } from './queries.ts'

/** Locking what is locked changes nothing, not even the reason. */
export async function setLocked(
  ctx: Context,
  { account }: SignedInCaller,
  issue: Issue,
  isLocked: boolean,
  reason = '',
): Promise<void> {
  await changeIssue(ctx, issue, async (tx, current) => {
    if (current.isLocked === isLocked) return
    await updateIssue(tx, issue.id, { is_locked: isLocked ? 1 : 0, lock_reason: reason })
    const deed = { issueId: issue.id, actorId: account.id, at: ctx.now() }
    await recordEvent(tx, deed, { kind: isLocked ? 'lock' : 'unlock', body: reason })
  })
}
