import { recordEvent } from '../comments/record.ts'
import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue } from '../issues/load.ts'
import {
  deleteStopwatch,
  deleteTime,
  deleteTimesOf,
  findRunning,
  findTimes,
  insertStopwatch,
  insertTime,
} from './queries.ts'
import type { TrackedTime } from './tracked-time.ts'

export interface NewTime {
  readonly accountId: number
  readonly seconds: number
  readonly at: number
}

export async function addTime(
  ctx: Context,
  issue: Issue,
  { accountId, seconds, at }: NewTime,
): Promise<TrackedTime> {
  const row = { issue_id: issue.id, account_id: accountId, seconds, created_at: at }
  return changeIssue(ctx, issue, async (tx) => {
    const timeId = await insertTime(tx, row)
    const deed = { issueId: issue.id, actorId: accountId, at: ctx.now() }
    const details = { timeId }
    await recordEvent(tx, deed, { kind: 'add_time_manual', body: `|${seconds}`, details })
    const time = (await findTimes(tx, [timeId])).get(timeId)
    if (!time) throw notFound()
    return time
  })
}

/** All that the caller has spent on an issue. */
export async function resetTimes(
  ctx: Context,
  { account }: SignedInCaller,
  issue: Issue,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx) => {
    const seconds = await deleteTimesOf(tx, issue.id, account.id)
    if (seconds === undefined) throw notFound()
    const deed = { issueId: issue.id, actorId: account.id, at: ctx.now() }
    await recordEvent(tx, deed, { kind: 'delete_time_manual', body: `|${seconds}` })
  })
}

/** One's own; administrators of the site those of others too. */
export async function removeTime(
  ctx: Context,
  caller: SignedInCaller,
  issue: Issue,
  id: number,
): Promise<void> {
  const { account } = caller
  const time = (await findTimes(ctx.db, [id])).get(id)
  if (!time || time.issueId !== issue.id) throw notFound()
  if (time.accountId !== account.id && !isSiteAdmin(caller)) {
    throw forbidden('only the user itself and administrators may delete this time')
  }
  await changeIssue(ctx, issue, async (tx) => {
    if (!(await deleteTime(tx, id))) throw notFound()
    const deed = { issueId: issue.id, actorId: account.id, at: ctx.now() }
    await recordEvent(tx, deed, { kind: 'delete_time_manual', body: `|${time.seconds}` })
  })
}

/** Nobody works on two things at once: another one that runs is stopped. */
export async function startStopwatch(
  ctx: Context,
  { account }: SignedInCaller,
  issue: Issue,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx) => {
    await lock(ctx.db.dialect, tx, 'stopwatches', account.id)
    const running = await findRunning(tx, account.id)
    if (running === issue.id) {
      throw new AppError('conflict', 'cannot start a stopwatch again if it already exists')
    }
    if (running !== undefined) await finish(ctx, tx, running, account.id)
    const at = ctx.now()
    await insertStopwatch(tx, { account_id: account.id, issue_id: issue.id, started_at: at })
    await recordEvent(
      tx,
      { issueId: issue.id, actorId: account.id, at },
      { kind: 'start_tracking' },
    )
  })
}

export async function stopStopwatch(
  ctx: Context,
  { account }: SignedInCaller,
  issue: Issue,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx) => {
    if (await finish(ctx, tx, issue.id, account.id)) return
    throw new AppError('conflict', 'cannot stop a non existent stopwatch')
  })
}

export async function cancelStopwatch(
  ctx: Context,
  { account }: SignedInCaller,
  issue: Issue,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx) => {
    if ((await deleteStopwatch(tx, issue.id, account.id)) === undefined) {
      throw new AppError('conflict', 'cannot cancel a non existent stopwatch')
    }
    const deed = { issueId: issue.id, actorId: account.id, at: ctx.now() }
    await recordEvent(tx, deed, { kind: 'cancel_tracking' })
  })
}

/** What it showed is time spent. False when none ran. */
async function finish(
  ctx: Context,
  tx: Executor,
  issueId: number,
  accountId: number,
): Promise<boolean> {
  const startedAt = await deleteStopwatch(tx, issueId, accountId)
  if (startedAt === undefined) return false
  const at = ctx.now()
  const seconds = Math.max(0, at - startedAt)
  const row = { issue_id: issueId, account_id: accountId, seconds, created_at: at }
  const timeId = await insertTime(tx, row)
  const event = { kind: 'stop_tracking', body: `|${seconds}`, details: { timeId } } as const
  await recordEvent(tx, { issueId, actorId: accountId, at }, event)
  return true
}
