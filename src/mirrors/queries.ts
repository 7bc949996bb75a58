import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'
import type { Changes, NewRow, Row } from '../db/schema.ts'

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

/** False for who has lost the mirror to another meanwhile: what they bring comes too late. */
export async function updateHeld(
  db: Executor,
  { repository_id, holder }: Mirror,
  changes: Changes<'mirror'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mirror')
    .set(changes)
    .where('repository_id', '=', repository_id)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The same at the end: from then on it is nobody's. */
export async function finishMirror(
  db: Executor,
  mirror: Mirror,
  changes: Changes<'mirror'>,
): Promise<boolean> {
  return updateHeld(db, mirror, { ...changes, lease_until: 0, holder: '' })
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

/** Marks one mirror as waiting for its job; false when it is waiting already. */
export async function markQueued(db: Executor, repositoryId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mirror')
    .set({ is_queued: 1 })
    .where('repository_id', '=', repositoryId)
    .where('is_queued', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks the mirrors whose time has come, as many as `limit`, and says which. */
export async function markDue(
  db: Executor,
  now: number,
  limit: number,
): Promise<readonly number[]> {
  const due = db
    .selectFrom('mirror')
    .select('repository_id')
    .where('next_at', '>', 0)
    .where('next_at', '<=', now)
    .where('is_queued', '=', 0)
    .where('lease_until', '<=', now)
    .orderBy('next_at')
    .limit(limit)
  const rows = await db
    .updateTable('mirror')
    .set({ is_queued: 1 })
    .where('repository_id', 'in', due)
    .where('is_queued', '=', 0)
    .returning('repository_id')
    .execute()
  return rows.map((row) => row.repository_id)
}

/** Whether the repository is private now; `undefined` when it is gone. */
export async function updateSynced(
  db: Executor,
  id: number,
  changes: Changes<'repository'>,
): Promise<{ readonly isPrivate: boolean } | undefined> {
  const row = await db
    .updateTable('repository')
    .set(changes)
    .where('id', '=', id)
    .returning('is_private')
    .executeTakeFirst()
  return row && { isPrivate: row.is_private === 1 }
}
