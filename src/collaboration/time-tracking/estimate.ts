import { recordEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeEstimate, changeIssue } from '../issues/load.ts'
import { isAuthor, writesIssue } from '../issues/rights.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { announceIssue } from '../issues/webhook-events.ts'
import { assertTracksTime, tracksTime } from './rights.ts'

/** Who writes issues, and whoever has written this one. */
export function mayEstimate(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
): boolean {
  return tracksTime(ctx, view) && (writesIssue(view, issue) || isAuthor(caller, issue))
}

/** Says how long an issue will take; nothing takes the estimate away. */
export async function estimateTime(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  seconds: number,
): Promise<void> {
  assertTracksTime(ctx, view)
  if (!mayEstimate(ctx, caller, view, issue)) throw forbidden('')
  const { account } = caller
  await changeIssue(ctx, issue, async (tx, current) => {
    if (current.timeEstimate === seconds) return
    const at = ctx.now()
    await changeEstimate(tx, issue.id, { seconds, at })
    const deed = { issueId: issue.id, actorId: account.id, at }
    await recordEvent(tx, deed, { kind: 'change_time_estimate', body: String(seconds) })
    const changes = { time_estimate: { from: String(current.timeEstimate) } }
    await announceIssue(ctx, tx, account, current, [{ kind: 'issues', action: 'edited', changes }])
  })
}
