import type { Executor } from '../db/database.ts'

/** What each file is called in the storage, with the id of its record. */
export async function listAttachmentNames(db: Executor): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('attachment').select(['id', 'uuid']).orderBy('id').execute()
  return new Map(rows.map(({ id, uuid }) => [uuid, id]))
}
