import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { nextTime } from './cron.ts'
import {
  claimTime,
  deleteSchedules,
  findDue,
  findLastNumber,
  insertRun,
  type Schedule,
} from './queries.ts'

const BATCH = 200

/**
 * A scheduled task: every workflow whose time has come gets one run, whichever process is first.
 * Times that passed while no server was there are made up for by one run.
 */
export async function startScheduledRuns(ctx: Context): Promise<void> {
  const due = await findDue(ctx.db, ctx.now(), BATCH)
  for (const schedule of due) await startRun(ctx, schedule)
  if (due.length === BATCH) await startScheduledRuns(ctx)
}

async function startRun(ctx: Context, schedule: Schedule): Promise<void> {
  const now = ctx.now()
  const nextAt = await nextTime(schedule.cron, now)
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'action_runs', schedule.repository_id)
    if (!(await claimTime(tx, schedule, { nextAt: nextAt ?? 0, now }))) return
    if (nextAt === undefined) await deleteSchedules(tx, [schedule.id])
    await insertRun(tx, {
      repository_id: schedule.repository_id,
      number: (await findLastNumber(tx, schedule.repository_id)) + 1,
      workflow: schedule.workflow,
      title: schedule.title,
      event: 'schedule',
      cron: schedule.cron,
      branch: schedule.branch,
      commit_id: schedule.commit_id,
      state: 'queued',
      created_at: now,
    })
  })
}
