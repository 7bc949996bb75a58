import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'

export type KeptArchive = Row<'repository_archive'>

/** Everything that the bytes of an archive depend on. */
export type ArchiveName = Pick<KeptArchive, 'repository_id' | 'commit_id' | 'format' | 'prefix'>

export async function findArchive(
  db: Executor,
  { repository_id, commit_id, format, prefix }: ArchiveName,
): Promise<KeptArchive | undefined> {
  return db
    .selectFrom('repository_archive')
    .selectAll()
    .where('repository_id', '=', repository_id)
    .where('commit_id', '=', commit_id)
    .where('format', '=', format)
    .where('prefix', '=', prefix)
    .executeTakeFirst()
}

/** False when somebody else has kept the same archive meanwhile. */
export async function insertArchive(
  db: Executor,
  archive: Omit<KeptArchive, 'id'>,
): Promise<boolean> {
  const row = await db
    .insertInto('repository_archive')
    .values(archive)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function noteUse(db: Executor, id: number, now: number): Promise<void> {
  await db.updateTable('repository_archive').set({ used_at: now }).where('id', '=', id).execute()
}

/** The longest unused first. */
export async function listByUse(
  db: Executor,
): Promise<readonly Pick<KeptArchive, 'id' | 'uuid' | 'size'>[]> {
  return db
    .selectFrom('repository_archive')
    .select(['id', 'uuid', 'size'])
    .orderBy('used_at')
    .orderBy('id')
    .execute()
}

/** The files of those that were there. */
export async function deleteArchives(
  db: Executor,
  ids: readonly number[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .deleteFrom('repository_archive')
    .where('id', 'in', ids)
    .returning('uuid')
    .execute()
  return rows.map(({ uuid }) => uuid)
}

export async function deleteArchivesOf(
  db: Executor,
  repositoryId: number,
): Promise<readonly string[]> {
  const rows = await db
    .deleteFrom('repository_archive')
    .where('repository_id', '=', repositoryId)
    .returning('uuid')
    .execute()
  return rows.map(({ uuid }) => uuid)
}

export async function findKnownArchives(
  db: Executor,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set()
  const rows = await db
    .selectFrom('repository_archive')
    .select('uuid')
    .where('uuid', 'in', uuids)
    .execute()
  return new Set(rows.map(({ uuid }) => uuid))
}
