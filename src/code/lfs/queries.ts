import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'

export type LfsFile = Row<'lfs_file'>

/** Which of these a repository has: name to size. */
export async function findObjects(
  db: Executor,
  repositoryId: number,
  oids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (oids.length === 0) return new Map()
  const rows = await db
    .selectFrom('lfs_object')
    .select(['oid', 'size'])
    .where('repository_id', '=', repositoryId)
    .where('oid', 'in', oids)
    .execute()
  return new Map(rows.map(({ oid, size }) => [oid, size]))
}

/** The stored file of an object that a repository has. */
export async function findFile(
  db: Executor,
  repositoryId: number,
  oid: string,
): Promise<LfsFile | undefined> {
  return db
    .selectFrom('lfs_object')
    .innerJoin('lfs_file', 'lfs_file.oid', 'lfs_object.oid')
    .selectAll('lfs_file')
    .where('lfs_object.repository_id', '=', repositoryId)
    .where('lfs_object.oid', '=', oid)
    .executeTakeFirst()
}

/** The stored files of those of these objects that a repository has. */
export async function findFiles(
  db: Executor,
  repositoryId: number,
  oids: readonly string[],
): Promise<readonly LfsFile[]> {
  if (oids.length === 0) return []
  return db
    .selectFrom('lfs_object')
    .innerJoin('lfs_file', 'lfs_file.oid', 'lfs_object.oid')
    .selectAll('lfs_file')
    .where('lfs_object.repository_id', '=', repositoryId)
    .where('lfs_object.oid', 'in', oids)
    .execute()
}

export interface Holder {
  readonly oid: string
  readonly size: number
  readonly repositoryId: number
}

/** Repositories that have these objects: a few, the newest first. */
export async function findHolders(
  db: Executor,
  oids: readonly string[],
  atMost: number,
): Promise<readonly Holder[]> {
  if (oids.length === 0) return []
  const rows = await db
    .selectFrom('lfs_object')
    .select(['oid', 'size', 'repository_id'])
    .where('oid', 'in', oids)
    .orderBy('repository_id', 'desc')
    .limit(atMost)
    .execute()
  return rows.map((row) => ({ oid: row.oid, size: row.size, repositoryId: row.repository_id }))
}

/** True when these bytes were not stored before: then they are now, under the given name. */
export async function insertFile(db: Executor, file: NewRow<'lfs_file'>): Promise<boolean> {
  const made = await db
    .insertInto('lfs_file')
    .values(file)
    .onConflict((conflict) => conflict.column('oid').doNothing())
    .returning('oid')
    .executeTakeFirst()
  return made !== undefined
}

/**
 * Stores what is not stored yet, and gives the names that count: nobody removes those files in the
 * meantime.
 */
export async function holdFiles(
  tx: Executor,
  files: readonly NewRow<'lfs_file'>[],
): Promise<readonly string[]> {
  const rows = await tx
    .insertInto('lfs_file')
    .values(files)
    .onConflict((conflict) =>
      conflict.column('oid').doUpdateSet((row) => ({ size: row.ref('excluded.size') })),
    )
    .returning('uuid')
    .execute()
  return rows.map(({ uuid }) => uuid)
}

/** Whoever has them already has them still; what is new counts for the size of the repository. */
export async function insertObjects(
  db: Executor,
  repositoryId: number,
  objects: readonly { readonly oid: string; readonly size: number }[],
  now: number,
): Promise<void> {
  if (objects.length === 0) return
  const made = await db
    .insertInto('lfs_object')
    .values(
      objects.map(({ oid, size }) => ({
        repository_id: repositoryId,
        oid,
        size,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['repository_id', 'oid']).doNothing())
    .returning('size')
    .execute()
  await addToSize(
    db,
    repositoryId,
    made.reduce((sum, { size }) => sum + size, 0),
  )
}

async function addToSize(db: Executor, repositoryId: number, bytes: number): Promise<void> {
  if (bytes === 0) return
  await db
    .updateTable('repository')
    .set({ lfs_size: sql<number>`lfs_size + ${bytes}` })
    .where('id', '=', repositoryId)
    .execute()
}

/** All objects of one repository for another, as far as that has them not. */
export async function copyObjects(
  db: Executor,
  fromId: number,
  toId: number,
  now: number,
): Promise<void> {
  const copied = await db
    .insertInto('lfs_object')
    .columns(['repository_id', 'oid', 'size', 'created_at'])
    .expression((from) =>
      from
        .selectFrom('lfs_object')
        .select([
          sql<number>`cast(${toId} AS bigint)`.as('repository_id'),
          'oid',
          'size',
          sql<number>`cast(${now} AS bigint)`.as('created_at'),
        ])
        .where('repository_id', '=', fromId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('size')
    .execute()
  await addToSize(
    db,
    toId,
    copied.reduce((sum, { size }) => sum + size, 0),
  )
}

export async function hasObjects(db: Executor, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('lfs_object')
    .select('oid')
    .where('repository_id', '=', repositoryId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const unused = sql<boolean>`NOT EXISTS (SELECT 1 FROM lfs_object WHERE lfs_object.oid = lfs_file.oid)`

/** Files that no repository has any more. */
export async function findUnused(db: Executor, atMost: number): Promise<readonly string[]> {
  const rows = await db.selectFrom('lfs_file').select('oid').where(unused).limit(atMost).execute()
  return rows.map(({ oid }) => oid)
}

/**
 * The name of the stored file whose record has been taken away; `undefined` when it is used again.
 */
export async function deleteUnused(db: Executor, oid: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('lfs_file')
    .where('oid', '=', oid)
    .where(unused)
    .returning('uuid')
    .executeTakeFirst()
  return row?.uuid
}

/** Which of these names of stored files have a record. */
export async function findKnownFiles(
  db: Executor,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set()
  const rows = await db.selectFrom('lfs_file').select('uuid').where('uuid', 'in', uuids).execute()
  return new Set(rows.map(({ uuid }) => uuid))
}
