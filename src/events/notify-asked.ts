import type { Deed, NewEvent } from '../collaboration/comments/record.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Asked } from '../platform/jobs/queue.ts'

/** Events by which somebody is asked to do something. */
const asks: ReadonlySet<NewEvent['kind']> = new Set(['assignees', 'review_request'])

/**
 * Those who are assigned or asked for a review hear of that, and nobody else does; `ids` are those
 * of the recorded events.
 */
export async function notifyAsked(
  ctx: Context,
  tx: Executor,
  { issueId, actorId }: Deed,
  events: readonly NewEvent[],
  ids: readonly number[],
): Promise<void> {
  const asked = events.flatMap(({ kind, details }, at) => {
    const only = askedBy(details)
    return asks.has(kind) && only ? [{ issueId, actorId, commentId: ids[at], only }] : []
  })
  await ctx.jobs.enqueueAll(tx, 'notify_of_issue', asked)
}

function askedBy({ assigneeId, teamId, removed }: NewEvent['details'] = {}): Asked | undefined {
  if (removed) return undefined
  if (assigneeId !== undefined) return { accountId: assigneeId }
  return teamId === undefined ? undefined : { teamId }
}
