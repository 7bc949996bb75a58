import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

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

const key = sql`repository_id, account_id, kind, is_private`
const reach = sql`(SELECT CASE WHEN hide_activity = 1 THEN 2 WHEN visibility = 'public' THEN 0
  WHEN visibility = 'limited' THEN 1 ELSE 2 END FROM account WHERE account.id = account_id)`
const counts = sql`SELECT ${key}, ${reach} AS actor_reach, activities
  FROM (SELECT ${key}, count(*) AS activities FROM activity GROUP BY ${key}) counted`
const sums = sql`SELECT repository_id, kind, is_private, actor_reach, sum(activities) AS activities
  FROM actor_tally GROUP BY repository_id, kind, is_private, actor_reach`

/** Compares both tallies, each with what it is made from. */
export async function findMiscounted(db: Executor): Promise<readonly string[]> {
  const { rows } = await sql<{ repository_id: number }>`
    SELECT DISTINCT repository_id FROM (
      SELECT repository_id FROM (
        SELECT ${key}, actor_reach, activities FROM actor_tally WHERE activities <> 0
        UNION ALL SELECT ${key}, actor_reach, -activities FROM (${counts}) actual
      ) AS differences GROUP BY ${key}, actor_reach HAVING sum(activities) <> 0
      UNION ALL SELECT repository_id FROM (
        SELECT repository_id, kind, is_private, actor_reach, activities FROM activity_tally
        UNION ALL SELECT repository_id, kind, is_private, actor_reach, -activities FROM (${sums}) summed
      ) AS others GROUP BY repository_id, kind, is_private, actor_reach HAVING sum(activities) <> 0
    ) AS wrong ORDER BY repository_id`.execute(db)
  return rows.map((row) => `activities of repository ${row.repository_id} are miscounted`)
}

/** The one tally is kept by the database as the other is made anew. */
export async function recountActivities(tx: Executor): Promise<void> {
  await tx.deleteFrom('actor_tally').execute()
  await tx.deleteFrom('activity_tally').execute()
  await sql`INSERT INTO actor_tally (${key}, actor_reach, activities) ${counts}`.execute(tx)
}
