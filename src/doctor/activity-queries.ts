import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'

const owner = sql<number>`(SELECT owner_id FROM repository WHERE repository.id = activity.repository_id)`

export async function findFiledWrongly(db: Executor): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('activity')
    .select('repository_id')
    .where(sql<boolean>`owner_id <> ${owner}`)
    .groupBy('repository_id')
    .orderBy('repository_id')
    .execute()
  return rows.map((row) => `activities of repository ${row.repository_id} are another owner's`)
}

export async function fileRightly(tx: Executor): Promise<void> {
  await tx
    .updateTable('activity')
    .set({ owner_id: owner })
    .where(sql<boolean>`owner_id <> ${owner}`)
    .execute()
}
