import { recordActivity, type ActivityKind } from '../activity/record.ts'
import { recordEvent, type NewEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { AppError, notFound } from '../errors.ts'
import { recount } from '../milestones/tally.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { announceIssue, newsOfEvents } from '../webhooks/issue-events.ts'
import { hasOpenDependency } from './dependency-queries.ts'
import type { Issue } from './issue.ts'
import { addToOpen, updateIssue } from './queries.ts'

export function assertState(state: string): void {
  if (state === 'open' || state === 'closed') return
  throw new AppError('precondition_failed', `unknown state: ${state}`)
}

/** Closes or reopens an issue that this transaction holds, with all that is counted and told of it. */
export async function changeState(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  { repo, units }: RepositoryView,
  issue: Issue,
  isClosed: boolean,
): Promise<Issue> {
  if (issue.isClosed === isClosed) return issue
  if (isClosed && units.settings('repo.issues')?.dependencies) await assertUnblocked(tx, issue)
  const at = ctx.now()
  const changed = await updateIssue(tx, issue.id, {
    is_closed: isClosed ? 1 : 0,
    closed_at: isClosed ? at : 0,
    updated_at: at,
  })
  if (!changed) throw notFound()
  await addToOpen(tx, issue, isClosed ? -1 : 1)
  await recount(tx, issue, changed)
  const deed = { issueId: issue.id, actorId: account.id, at }
  const event: NewEvent = { kind: isClosed ? 'close' : 'reopen' }
  const commentId = await recordEvent(tx, deed, event)
  await recordActivity(tx, {
    repositoryId: repo.id,
    accountId: account.id,
    kind: activityOf(issue, isClosed),
    content: `${issue.number}|`,
    isPrivate: repo.isPrivate,
    issueId: issue.id,
    commentId,
    at,
  })
  await announceIssue(ctx, tx, account, issue, newsOfEvents([event]))
  return changed
}

async function assertUnblocked(tx: Executor, { id }: Issue): Promise<void> {
  if (!(await hasOpenDependency(tx, id))) return
  throw new AppError(
    'precondition_failed',
    'cannot close this issue or pull request because it still has open dependencies',
  )
}

function activityOf({ isPull }: Issue, isClosed: boolean): ActivityKind {
  if (isPull) return isClosed ? 'close_pull_request' : 'reopen_pull_request'
  return isClosed ? 'close_issue' : 'reopen_issue'
}
