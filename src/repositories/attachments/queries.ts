import { sql } from 'kysely'
import type { Database, Dialect, Executor } from '../../platform/db/database.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { statement, statementForIds } from '../../platform/db/statement.ts'
import { toAttachment, type Attachment } from './attachment.ts'

const given = [
  'uuid',
  'repository_id',
  'issue_id',
  'comment_id',
  'release_id',
  'uploader_id',
  'name',
  'size',
  'sha256',
  'media_type',
  'created_at',
  'updated_at',
] as const satisfies (keyof NewRow<'attachment'>)[]

const newAttachment = statement<Row<'attachment'>>(`
  INSERT INTO attachment (${given.join()})
  VALUES (${given.map(() => '?').join()})
  RETURNING *
`)

export async function insertAttachment(
  tx: Executor,
  row: Pick<NewRow<'attachment'>, (typeof given)[number]>,
): Promise<Attachment> {
  const [inserted] = await newAttachment(tx, ...given.map((column) => row[column]))
  if (!inserted) throw new Error(`attachment ${row.uuid} was not inserted`)
  return toAttachment(inserted)
}

export async function findAttachment(db: Executor, id: number): Promise<Attachment | undefined> {
  const row = await db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAttachment(row)
}

/**
 * For the transaction alone: who else wants to change it waits. SQLite has one writer, so there it
 * is so already.
 */
export async function holdAttachment(
  dialect: Dialect,
  tx: Executor,
  id: number,
): Promise<Attachment | undefined> {
  const row = await tx
    .selectFrom('attachment')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect === 'postgres', (found) => found.forUpdate())
    .executeTakeFirst()
  return row && toAttachment(row)
}

export async function findAttachmentByUuid(
  db: Executor,
  uuid: string,
): Promise<Attachment | undefined> {
  const row = await db
    .selectFrom('attachment')
    .selectAll()
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return row && toAttachment(row)
}

/** What an attachment hangs on. */
export type Parent = 'repository_id' | 'issue_id' | 'comment_id' | 'release_id' | 'id'

const attachmentsBy = (parent: Parent) =>
  statementForIds<Row<'attachment'>>(`SELECT * FROM attachment WHERE ${parent} IN (*) ORDER BY id`)
const attachmentsOf = {
  repository_id: attachmentsBy('repository_id'),
  issue_id: attachmentsBy('issue_id'),
  comment_id: attachmentsBy('comment_id'),
  release_id: attachmentsBy('release_id'),
  id: attachmentsBy('id'),
}

/** In the order of ids. */
export async function findAttachmentsOf(
  db: Executor,
  parent: Parent,
  ids: readonly number[],
): Promise<readonly Attachment[]> {
  if (ids.length === 0) return []
  const rows = await attachmentsOf[parent](db, ids)
  return rows.map(toAttachment)
}

/** Those of the issue itself, not of its comments. */
export async function findDirectAttachments(
  db: Executor,
  issueIds: readonly number[],
): Promise<readonly Attachment[]> {
  const all = await findAttachmentsOf(db, 'issue_id', issueIds)
  return all.filter(({ commentId }) => commentId === undefined)
}

/** Of one release by the exact name; of several the oldest. */
export async function findReleaseFile(
  db: Executor,
  releaseId: number,
  name: string,
): Promise<Attachment | undefined> {
  const row = await db
    .selectFrom('attachment')
    .selectAll()
    .where('release_id', '=', releaseId)
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirst()
  return row && toAttachment(row)
}

export async function updateAttachment(
  db: Executor,
  id: number,
  changes: Changes<'attachment'>,
): Promise<Attachment | undefined> {
  const row = await db
    .updateTable('attachment')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toAttachment(row)
}

/** The files whose records are gone now. */
export async function deleteAttachmentsOf(
  tx: Executor,
  parent: Parent,
  ids: readonly number[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .deleteFrom('attachment')
    .where(parent, 'in', ids)
    .returning('uuid')
    .execute()
  return rows.map(({ uuid }) => uuid)
}

/** One statement for each number of downloads that occurred, whatever the number of files. */
export async function addDownloads(
  db: Database,
  counts: ReadonlyMap<number, number>,
): Promise<void> {
  const byCount = Map.groupBy(counts, ([, count]) => count)
  await db.transaction().execute(async (tx) => {
    for (const [count, entries] of byCount) {
      await tx
        .updateTable('attachment')
        .set({ download_count: sql`download_count + ${count}` })
        .where(
          'id',
          'in',
          entries.map(([id]) => id),
        )
        .execute()
    }
  })
}

/** Which of these have a record. */
export async function findKnownUuids(
  db: Executor,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set()
  const rows = await db.selectFrom('attachment').select('uuid').where('uuid', 'in', uuids).execute()
  return new Set(rows.map(({ uuid }) => uuid))
}
