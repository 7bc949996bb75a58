import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { markQueued } from './lease-queries.ts'

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

export async function hasFollowing(db: Executor, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('push_mirror')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('sync_on_commit', '=', 1)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks those of a repository that are told of every change, and says which. */
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
  return markQueued(db, 'push_mirror', following)
}
