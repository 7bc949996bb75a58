import type { Executor } from '../../platform/db/database.ts'

/** What each file is called in the storage, with the id of its record. */
export async function listAttachmentNames(db: Executor): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('attachment').select(['id', 'uuid']).orderBy('id').execute()
  return new Map(rows.map(({ id, uuid }) => [uuid, id]))
}

export async function listLfsNames(db: Executor): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('lfs_file').select(['oid', 'uuid']).orderBy('oid').execute()
  return new Map(rows.map(({ oid, uuid }) => [uuid, oid]))
}

export async function listPackageNames(db: Executor): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('package_file').select(['id', 'uuid']).orderBy('id').execute()
  return new Map(rows.map(({ id, uuid }) => [uuid, id]))
}

export async function listArchiveNames(db: Executor): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('repository_archive')
    .select(['id', 'uuid'])
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, uuid }) => [uuid, id]))
}
