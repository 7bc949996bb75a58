import { recordActivity, type ActivityKind } from '../../events/activity/record.ts'
import type { EventDetails } from '../comments/comment.ts'
import { recordEvent, type NewEvent } from '../comments/record.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import { recount } from '../milestones/tally.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { Account } from '../../identity/users/account.ts'
import { announceIssue, newsOfEvents } from './webhook-events.ts'
import type { Issue } from './issue.ts'
import { addToOpen, findIssueById, updateIssue } from './queries.ts'

/** As what closing is told, where it is more than that. */
export interface Told {
  readonly event: NewEvent
  readonly activity: ActivityKind
  readonly content: string
  /** Whether feeds show the event beside it. */
  readonly showsEvent: boolean
}

/**
 * Closes or reopens an issue that this transaction holds, with all that is counted and told of it;
 * no rule is asked.
 */
export async function setClosed(
  ctx: Context,
  tx: Executor,
  actor: Account,
  repo: Pick<Repository, 'id' | 'isPrivate'>,
  issue: Issue,
  isClosed: boolean,
  told: Told = toldOf(issue, isClosed),
): Promise<Issue> {
  const at = ctx.now()
  const changed = await countClosed(tx, issue, isClosed, at)
  const commentId = await recordEvent(tx, { issueId: issue.id, actorId: actor.id, at }, told.event)
  await recordActivity(tx, {
    repositoryId: repo.id,
    accountId: actor.id,
    kind: told.activity,
    content: told.content,
    isPrivate: repo.isPrivate,
    issueId: issue.id,
    ...(told.showsEvent ? { commentId } : {}),
    at,
  })
  const news = newsOfEvents([{ kind: isClosed ? 'close' : 'reopen' }])
  await announceIssue(ctx, tx, actor, issue, news)
  await ctx.jobs.enqueue(tx, 'notify_of_issue', { issueId: issue.id, actorId: actor.id, commentId })
  return changed
}

async function countClosed(
  tx: Executor,
  issue: Issue,
  isClosed: boolean,
  at: number,
): Promise<Issue> {
  const changed = await updateIssue(tx, issue.id, {
    is_closed: isClosed ? 1 : 0,
    closed_at: isClosed ? at : 0,
    updated_at: at,
  })
  if (!changed) throw notFound()
  await addToOpen(tx, issue, isClosed ? -1 : 1)
  await recount(tx, issue, changed)
  return changed
}

/** Closes what nobody has closed by hand: it is counted, and nobody is told. */
export async function closeQuietly(tx: Executor, id: number, at: number): Promise<void> {
  const issue = await findIssueById(tx, id)
  if (issue && !issue.isClosed) await countClosed(tx, issue, true, at)
}

/** `details` say by what it was, if not by hand. */
export function toldOf(
  { isPull, number }: Issue,
  isClosed: boolean,
  details: EventDetails = {},
): Told {
  const event: NewEvent = { kind: isClosed ? 'close' : 'reopen', details }
  const what = isPull ? ('pull_request' as const) : ('issue' as const)
  const activity = isClosed ? (`close_${what}` as const) : (`reopen_${what}` as const)
  return { event, activity, content: `${number}|`, showsEvent: true }
}
