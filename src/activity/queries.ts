import type { Executor } from '../db/database.ts'
import type { NewRow } from '../db/schema.ts'

/** A statement takes only so many parameters. */
const ROWS_AT_ONCE = 1000

export async function insertActivities(
  db: Executor,
  rows: readonly NewRow<'activity'>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await db
      .insertInto('activity')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
  }
}

/** What was recorded of a repository that becomes private stays private for good. */
export async function hideActivities(
  db: Executor,
  repositoryIds: readonly number[],
): Promise<void> {
  await db
    .updateTable('activity')
    .set({ is_private: 1 })
    .where('repository_id', 'in', repositoryIds)
    .execute()
}
