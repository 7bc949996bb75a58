import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'
import { writeInTurns } from '../db/parts.ts'
import type { NewRow, Row } from '../db/schema.ts'
import { statement } from '../db/statement.ts'

/** Marks the task as started when it is due; only one of several processes gets true. */
export async function claimTask(
  db: Executor,
  task: { name: string; startedUpTo: number },
  now: number,
): Promise<boolean> {
  await db
    .insertInto('scheduled_task')
    .values({ name: task.name, started_at: 0, runs: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('scheduled_task')
    .set({ started_at: now, runs: sql`runs + 1` })
    .where('name', '=', task.name)
    .where('started_at', '<=', task.startedUpTo)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function recordManualRun(db: Executor, name: string, now: number): Promise<void> {
  await db
    .insertInto('scheduled_task')
    .values({ name, started_at: now, runs: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ started_at: now, runs: sql`scheduled_task.runs + 1` }),
    )
    .execute()
}

export async function listTasks(db: Executor): Promise<readonly Row<'scheduled_task'>[]> {
  return db.selectFrom('scheduled_task').selectAll().execute()
}

export type Job = Row<'job'>

export async function insertJobs(db: Executor, jobs: readonly NewRow<'job'>[]): Promise<void> {
  await writeInTurns(jobs, (rows) => db.insertInto('job').values(rows).execute())
}

/** Whether such a job waits for a time after this one. */
export async function isPlanned(
  db: Executor,
  { kind, lane, payload, after }: { kind: string; lane: string; payload: string; after: number },
): Promise<boolean> {
  const found = await db
    .selectFrom('job')
    .select('id')
    .where('lane', '=', lane)
    .where('run_at', '>', after)
    .where('kind', '=', kind)
    .where('payload', '=', payload)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function deletePlanned(
  db: Executor,
  { kind, lane, payload }: { kind: string; lane: string; payload: string },
): Promise<void> {
  await db
    .deleteFrom('job')
    .where('lane', '=', lane)
    .where('kind', '=', kind)
    .where('payload', '=', payload)
    .execute()
}

/** Whose job it is: nobody else's word about it counts. */
export interface Holder {
  readonly worker: string
}

const selectDue = statement<{ readonly id: number }>(`
  SELECT id FROM job WHERE lane = ? AND run_at <= ? AND lease_until <= ? ORDER BY run_at, id LIMIT 1
`)

/**
 * The oldest job of a lane that is due and that nobody works on; a worker that died loses it when
 * its lease is over.
 */
export async function claimJob(
  db: Executor,
  { worker }: Holder,
  { lane, now, leaseUntil }: { lane: string; now: number; leaseUntil: number },
): Promise<Job | undefined> {
  // Looking is free; only a process that finds something writes.
  if ((await selectDue(db, lane, now, now)).length === 0) return undefined
  const next = db
    .selectFrom('job')
    .select('id')
    .where('lane', '=', lane)
    .where('run_at', '<=', now)
    .where('lease_until', '<=', now)
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
  return db
    .updateTable('job')
    .set({
      lease_until: leaseUntil,
      worker,
      attempts: sql`attempts + 1`,
      was_left: sql`CASE WHEN lease_until > 0 THEN 1 ELSE 0 END`,
    })
    .where('id', '=', next)
    .where('lease_until', '<=', now)
    .returningAll()
    .executeTakeFirst()
}

/** Those that another has taken over meanwhile stay theirs. */
export async function renewJobs(
  db: Executor,
  { worker }: Holder,
  ids: readonly number[],
  leaseUntil: number,
): Promise<void> {
  await db
    .updateTable('job')
    .set({ lease_until: leaseUntil })
    .where('id', 'in', ids)
    .where('worker', '=', worker)
    .where('lease_until', '>', 0)
    .execute()
}

/** False when it is another's by now. */
export async function deleteJob(db: Executor, { worker }: Holder, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('job')
    .where('id', '=', id)
    .where('worker', '=', worker)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function postponeJob(
  db: Executor,
  { worker }: Holder,
  id: number,
  { runAt, error }: { runAt: number; error: string },
): Promise<void> {
  await db
    .updateTable('job')
    .set({ run_at: runAt, lease_until: 0, last_error: error.slice(0, 2000) })
    .where('id', '=', id)
    .where('worker', '=', worker)
    .execute()
}

/** Gives how many jobs they held. */
export async function deleteLanes(db: Executor, lanes: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('job')
    .where('lane', 'in', lanes)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
