import type { SelectQueryBuilder } from 'kysely'
import type { Executor } from '../db/database.ts'
import { fetchPage, type Page, type PageOf } from '../db/page.ts'
import type { Changes, NewRow, Row, Schema } from '../db/schema.ts'

export type PushMirror = Row<'push_mirror'>

export async function insertPushMirror(
  db: Executor,
  row: NewRow<'push_mirror'>,
): Promise<PushMirror> {
  return db.insertInto('push_mirror').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function listPushMirrors(
  db: Executor,
  repositoryId: number,
  page: Page,
): Promise<PageOf<PushMirror>> {
  const query = db
    .selectFrom('push_mirror')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
  return fetchPage(query, page)
}

export async function findPushMirrorIds(
  db: Executor,
  repositoryId: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('push_mirror')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function findPushMirror(db: Executor, id: number): Promise<PushMirror | undefined> {
  return db.selectFrom('push_mirror').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findPushMirrorByName(
  db: Executor,
  repositoryId: number,
  name: string,
): Promise<PushMirror | undefined> {
  return db
    .selectFrom('push_mirror')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('remote_name', '=', name)
    .executeTakeFirst()
}

export async function deletePushMirror(
  db: Executor,
  repositoryId: number,
  name: string,
): Promise<void> {
  await db
    .deleteFrom('push_mirror')
    .where('repository_id', '=', repositoryId)
    .where('remote_name', '=', name)
    .execute()
}

export async function updatePushMirror(
  db: Executor,
  id: number,
  changes: Changes<'push_mirror'>,
): Promise<void> {
  await db.updateTable('push_mirror').set(changes).where('id', '=', id).execute()
}

/** False for who has lost it to another meanwhile. */
export async function updateHeldPush(
  db: Executor,
  { id, holder }: PushMirror,
  changes: Changes<'push_mirror'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('push_mirror')
    .set(changes)
    .where('id', '=', id)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The same at the end: from then on it is nobody's. */
export async function finishPushMirror(
  db: Executor,
  mirror: PushMirror,
  changes: Changes<'push_mirror'>,
): Promise<boolean> {
  return updateHeldPush(db, mirror, { ...changes, lease_until: 0, holder: '' })
}

/** Marks the push mirrors whose time has come, as many as `limit`, and says which. */
export async function markDuePushes(
  db: Executor,
  now: number,
  limit: number,
): Promise<readonly number[]> {
  const due = db
    .selectFrom('push_mirror')
    .select('id')
    .where('next_at', '>', 0)
    .where('next_at', '<=', now)
    .where('is_queued', '=', 0)
    .where('lease_until', '<=', now)
    .orderBy('next_at')
    .limit(limit)
  return markQueued(db, due)
}

export async function hasFollowing(db: Executor, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('push_mirror')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('sync_on_commit', '=', 1)
    .executeTakeFirst()
  return row !== undefined
}

/** The same for those of a repository that are told of every change. */
export async function markFollowing(
  db: Executor,
  repositoryId: number,
): Promise<readonly number[]> {
  const following = db
    .selectFrom('push_mirror')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('sync_on_commit', '=', 1)
    .where('is_queued', '=', 0)
  return markQueued(db, following)
}

/** False when it is waiting already. */
export async function markPushQueued(db: Executor, id: number): Promise<boolean> {
  const chosen = db.selectFrom('push_mirror').select('id').where('id', '=', id)
  return (await markQueued(db, chosen)).length > 0
}

async function markQueued(
  db: Executor,
  chosen: SelectQueryBuilder<Schema, 'push_mirror', { id: number }>,
): Promise<readonly number[]> {
  const rows = await db
    .updateTable('push_mirror')
    .set({ is_queued: 1 })
    .where('id', 'in', chosen)
    .where('is_queued', '=', 0)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
