import type { Executor } from '../db/database.ts'
import type { NewRow } from '../db/schema.ts'

export async function insertActivity(db: Executor, row: NewRow<'activity'>): Promise<void> {
  await db.insertInto('activity').values(row).execute()
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
