import type { Executor } from '../../platform/db/database.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'

/** In place of what was found before. */
export async function upsertResult(db: Executor, row: NewRow<'check_result'>): Promise<void> {
  const { name: _, ...changes } = row
  await db
    .insertInto('check_result')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changes))
    .execute()
}

export async function listResultRows(db: Executor): Promise<readonly Row<'check_result'>[]> {
  return db.selectFrom('check_result').selectAll().execute()
}
