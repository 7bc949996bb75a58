import { sql } from 'kysely'
import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { AppError, type Refusal } from '../../platform/errors.ts'

export type ImportRow = Row<'repository_import'>

export async function insertImport(
  db: Executor,
  row: NewRow<'repository_import'>,
): Promise<ImportRow> {
  try {
    return await db
      .insertInto('repository_import')
      .values(row)
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new AppError('conflict', 'The repository is being imported already.', {
      cause: error,
      reason: 'import_running',
    })
  }
}

export async function findImport(db: Executor, id: number): Promise<ImportRow | undefined> {
  return db.selectFrom('repository_import').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findImportByName(
  db: Executor,
  ownerId: number,
  name: string,
): Promise<ImportRow | undefined> {
  return db
    .selectFrom('repository_import')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('lower_name', '=', name.toLowerCase())
    .executeTakeFirst()
}

/** Oldest first. */
export async function findImportsBy(
  db: Executor,
  accountId: number,
): Promise<readonly ImportRow[]> {
  return db
    .selectFrom('repository_import')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
}

/** Those of somebody that are not over yet. */
export async function countImportsBy(db: Executor, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('repository_import')
    .select(sql<number>`count(*)`.as('count'))
    .where('account_id', '=', accountId)
    .where('last_error', '=', '')
    .executeTakeFirstOrThrow()
  return count
}

/** False when it was given up meanwhile. */
export async function deleteImport(db: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('repository_import')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Makes room for another try. */
export async function deleteFailedImport(
  db: Executor,
  ownerId: number,
  name: string,
): Promise<void> {
  await db
    .deleteFrom('repository_import')
    .where('owner_id', '=', ownerId)
    .where('lower_name', '=', name.toLowerCase())
    .where('last_error', '<>', '')
    .execute()
}

/** What opens the other server is forgotten with it. */
export async function updateFailedImport(
  db: Executor,
  id: number,
  { message, reason, subject }: Refusal,
): Promise<void> {
  await db
    .updateTable('repository_import')
    .set({ last_error: message, last_reason: reason ?? '', last_subject: subject, secrets: '' })
    .where('id', '=', id)
    .execute()
}
