import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'
import type { Row } from '../db/schema.ts'

/** Marks the task as started when it is due; only one of several processes gets true. */
export async function claimTask(
  db: Executor,
  task: { name: string; everySeconds: number },
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
    .where('started_at', '<=', now - task.everySeconds)
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
