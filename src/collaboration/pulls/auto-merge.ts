import { recordEvent } from '../comments/record.ts'
import { callerOf, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue, issuesById, touchIssue } from '../issues/load.ts'
import { reaches } from '../../platform/access-level.ts'
import { findCurrent } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findById } from '../../identity/users/load.ts'
import { announcePull } from './webhook-events.ts'
import type { FoundPull } from './load.ts'
import type { WantedMerge } from './merge.ts'
import { findPull, findScheduled, updatePull } from './queries.ts'

/** Keeps how to merge until everything is there. */
export async function schedule(
  ctx: Context,
  { account }: SignedInCaller,
  { issue }: FoundPull,
  wanted: WantedMerge,
): Promise<'scheduled'> {
  await changeIssue(ctx, issue, async (tx) => {
    const pull = await findPull(tx, issue.id)
    if (pull?.autoMerge)
      throw new AppError('conflict', 'pull request is already scheduled to merge')
    const kept = JSON.stringify({ ...wanted, whenChecksSucceed: false, isAutomatic: true })
    await updatePull(tx, issue.id, { auto_merge: kept, auto_merge_by_id: account.id })
    // What was missing may have come before anybody knew that this waits for it.
    await ctx.jobs.enqueue(tx, 'merge_scheduled', { issueId: issue.id })
    await tellOfSchedule(ctx, tx, account, issue, 'pull_scheduled_merge')
  })
  ctx.jobs.wake()
  return 'scheduled'
}

/** Who has scheduled it may think again, and administrators. */
export async function unschedule(
  ctx: Context,
  { account }: SignedInCaller,
  { access }: RepositoryView,
  { issue }: FoundPull,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx) => {
    const pull = await findPull(tx, issue.id)
    if (!pull?.autoMerge) throw notFound()
    if (pull.autoMergeById !== account.id && !reaches(access.level, 'admin')) {
      throw forbidden('user has no permission to cancel the scheduled auto merge')
    }
    await updatePull(tx, issue.id, { auto_merge: '', auto_merge_by_id: null })
    await tellOfSchedule(ctx, tx, account, issue, 'pull_cancel_scheduled_merge')
  })
  ctx.jobs.wake()
}

const actions = {
  pull_scheduled_merge: 'auto_merge_enabled',
  pull_cancel_scheduled_merge: 'auto_merge_disabled',
} as const

/** Merge queues go by the history, others by the webhook, which GitHub calls so. */
async function tellOfSchedule(
  ctx: Context,
  tx: Executor,
  account: Account,
  issue: Issue,
  kind: keyof typeof actions,
): Promise<void> {
  const deed = { issueId: issue.id, actorId: account.id, at: ctx.now() }
  await recordEvent(tx, deed, { kind })
  await touchIssue(tx, issue.id, deed.at)
  await announcePull(ctx, tx, account, issue, [{ kind: 'pull_request', action: actions[kind] }])
}

/** In the transaction of what may have been missing; wake the queue after the commit. */
export async function retryScheduled(
  ctx: Context,
  tx: Executor,
  which:
    | { readonly repositoryId: number; readonly commitId: string }
    | { readonly issueId: number },
): Promise<void> {
  const issueIds = await findScheduled(tx, which)
  await ctx.jobs.enqueueAll(
    tx,
    'merge_scheduled',
    issueIds.map((issueId) => ({ issueId })),
  )
}

type Merge = (
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  number: number,
  wanted: WantedMerge,
) => Promise<unknown>

/** The job: what still misses something stays scheduled. */
export async function mergeScheduled(ctx: Context, issueId: number, merge: Merge): Promise<void> {
  const pull = await findPull(ctx.db, issueId)
  const issue = (await issuesById(ctx.db, [issueId])).get(issueId)
  const account = await findById(ctx, pull?.autoMergeById ?? 0)
  if (!pull?.autoMerge || !issue || !account) return
  const caller = callerOf(account)
  const wanted = JSON.parse(pull.autoMerge) as WantedMerge
  try {
    const view = await findCurrent(ctx, caller, pull.repositoryId)
    await merge(ctx, caller, view, issue.number, wanted)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
