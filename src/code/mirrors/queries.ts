import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'

export type Mirror = Row<'mirror'>

export async function insertMirror(db: Executor, row: NewRow<'mirror'>): Promise<void> {
  await db.insertInto('mirror').values(row).execute()
}

export async function findMirror(db: Executor, repositoryId: number): Promise<Mirror | undefined> {
  return db
    .selectFrom('mirror')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
}

export async function updateMirror(
  db: Executor,
  repositoryId: number,
  changes: Changes<'mirror'>,
): Promise<void> {
  await db.updateTable('mirror').set(changes).where('repository_id', '=', repositoryId).execute()
}

/** How many mirrors of either direction talk to a host now, and how many wait for their turn. */
export async function countAtHost(
  db: Executor,
  host: string,
  now: number,
): Promise<{ readonly talking: number; readonly waiting: number }> {
  const count = (table: 'mirror' | 'push_mirror') =>
    db
      .selectFrom(table)
      .select([
        sql<number>`coalesce(sum(CASE WHEN lease_until > ${now} THEN 1 ELSE 0 END), 0)`.as(
          'talking',
        ),
        sql<number>`coalesce(sum(is_queued), 0)`.as('waiting'),
      ])
      .where('host', '=', host)
  const rows = await count('mirror').unionAll(count('push_mirror')).execute()
  return {
    talking: rows.reduce((sum, { talking }) => sum + talking, 0),
    waiting: rows.reduce((sum, { waiting }) => sum + waiting, 0),
  }
}

/** What it is now, and stays until the transaction ends; `undefined` when it is gone. */
export async function updateSynced(
  db: Executor,
  id: number,
  changes: Changes<'repository'>,
): Promise<{ readonly isPrivate: boolean; readonly defaultBranch: string } | undefined> {
  const row = await db
    .updateTable('repository')
    .set({ ...changes, branch_version: sql<number>`branch_version + 1` })
    .where('id', '=', id)
    .returning(['is_private', 'default_branch'])
    .executeTakeFirst()
  return row && { isPrivate: row.is_private === 1, defaultBranch: row.default_branch }
}
