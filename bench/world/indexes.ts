import { sql } from 'kysely'
import type { Database } from '../../src/platform/db/database.ts'

interface Index {
  readonly name: string
  readonly statement: string
}

/**
 * Does `work` without the indexes of search, which are made anew at the end: much faster than row
 * by row.
 */
export async function withoutIndexes(db: Database, work: () => Promise<void>): Promise<void> {
  const indexes = await listIndexes(db)
  for (const { name } of indexes) await sql`DROP INDEX ${sql.ref(name)}`.execute(db)
  await work()
  for (const { statement } of indexes) await sql.raw(statement).execute(db)
}

async function listIndexes(db: Database): Promise<readonly Index[]> {
  const listing =
    db.dialect === 'sqlite'
      ? sql<Index>`SELECT name, sql AS statement FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
          AND tbl_name = 'repository' AND sql NOT LIKE '%UNIQUE%'`
      : sql<Index>`SELECT indexname AS name, indexdef AS statement FROM pg_indexes
          WHERE tablename = 'repository' AND indexdef NOT LIKE '%UNIQUE%'`
  return (await listing.execute(db)).rows
}
