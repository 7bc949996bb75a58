import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

const reach = sql<number>`CASE WHEN is_private = 1 THEN 3
  ELSE (SELECT CASE visibility WHEN 'public' THEN 0 WHEN 'limited' THEN 1 ELSE 2 END
    FROM account WHERE account.id = owner_id) END`
const ownerName = sql<string>`(SELECT lower_name FROM account WHERE account.id = owner_id)`

/** What search looks at instead of the owner. */
export async function findSearchDrift(db: Executor): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('repository')
    .select('id')
    .where(sql<boolean>`reach <> ${reach} OR owner_name <> ${ownerName}`)
    .orderBy('id')
    .execute()
  const tallies = await sql<{ reach: number }>`
    SELECT reach FROM (
      SELECT reach, count(*) AS repositories FROM repository GROUP BY reach
      UNION ALL SELECT reach, -sum(repositories) FROM repository_tally WHERE reach >= 0 GROUP BY reach
    ) AS differences GROUP BY reach HAVING sum(repositories) <> 0 ORDER BY reach`.execute(db)
  return [
    ...rows.map(({ id }) => `repository ${id} is not found as its owner's visibility says`),
    ...tallies.rows.map((row) => `repositories with reach ${row.reach} are miscounted`),
  ]
}

export async function mendSearch(tx: Executor): Promise<void> {
  await tx.updateTable('repository').set({ reach, owner_name: ownerName }).execute()
  await tx.deleteFrom('repository_tally').execute()
  await sql`INSERT INTO repository_tally (reach, slot, repositories)
    SELECT reach, id % 16, count(*) FROM repository GROUP BY reach, id % 16`.execute(tx)
}
