import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Changes, NewRow } from '../../platform/db/schema.ts'
import { toColumn, type Column } from './column.ts'

/** From left to right. */
export async function findColumns(db: Executor, projectId: number): Promise<readonly Column[]> {
  const rows = await db
    .selectFrom('project_column')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('sorting')
    .orderBy('id')
    .execute()
  return rows.map(toColumn)
}

export async function insertColumns(
  db: Executor,
  rows: readonly NewRow<'project_column'>[],
): Promise<readonly Column[]> {
  return (await db.insertInto('project_column').values(rows).returningAll().execute()).map(toColumn)
}

export async function updateColumn(
  db: Executor,
  id: number,
  changes: Changes<'project_column'>,
): Promise<Column | undefined> {
  const row = await db
    .updateTable('project_column')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toColumn(row)
}

/** Each gets the place that it has in `ids`. */
export async function sortColumns(
  db: Executor,
  projectId: number,
  ids: readonly number[],
): Promise<void> {
  const places = ids.map((id, place) => sql`WHEN ${id} THEN ${place}`)
  await db
    .updateTable('project_column')
    .set({ sorting: sql<number>`CAST(CASE id ${sql.join(places, sql` `)} END AS bigint)` })
    .where('project_id', '=', projectId)
    .execute()
}

export async function deleteColumn(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('project_column').where('id', '=', id).execute()
}
