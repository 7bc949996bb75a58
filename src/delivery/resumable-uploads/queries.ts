import type { Executor } from '../../platform/db/database.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { toUpload, type ResumableUpload } from './upload.ts'

export async function insertUpload(db: Executor, row: NewRow<'upload'>): Promise<ResumableUpload> {
  return toUpload(
    await db.insertInto('upload').values(row).returningAll().executeTakeFirstOrThrow(),
  )
}

export async function findUpload(db: Executor, uuid: string): Promise<ResumableUpload | undefined> {
  const row = await db.selectFrom('upload').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  return row && toUpload(row)
}

/** Nothing when somebody else has added to it meanwhile. */
export async function addPart(
  db: Executor,
  { uuid, received, parts }: ResumableUpload,
  part: { readonly key: string; readonly size: number },
): Promise<ResumableUpload | undefined> {
  const row = await db
    .updateTable('upload')
    .set({ received: received + part.size, parts: JSON.stringify([...parts, part.key]) })
    .where('uuid', '=', uuid)
    .where('received', '=', received)
    .returningAll()
    .executeTakeFirst()
  return row && toUpload(row)
}

/** The parts that it had; nothing when it was gone already. */
export async function deleteUpload(
  tx: Executor,
  uuid: string,
): Promise<readonly string[] | undefined> {
  const row = await tx
    .deleteFrom('upload')
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst()
  return row && toUpload(row).parts
}

/** The parts that they had. */
export async function deleteUploadsOf(tx: Executor, releaseId: number): Promise<readonly string[]> {
  const rows = await tx
    .deleteFrom('upload')
    .where('release_id', '=', releaseId)
    .returningAll()
    .execute()
  return rows.flatMap((row) => toUpload(row).parts)
}

export async function findExpired(db: Executor, now: number): Promise<readonly ResumableUpload[]> {
  const rows = await db.selectFrom('upload').selectAll().where('expires_at', '<', now).execute()
  return rows.map(toUpload)
}

/** Which of these keys belong to an upload. */
export async function findNamedParts(db: Executor): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('upload').select('parts').execute()
  return new Set(rows.flatMap(({ parts }) => JSON.parse(parts) as string[]))
}
