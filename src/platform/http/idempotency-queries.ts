import type { Executor } from '../db/database.ts'
import type { NewRow, Row } from '../db/schema.ts'

/** False when the key is taken already. */
export async function insertKey(db: Executor, row: NewRow<'idempotency_key'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('idempotency_key')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function findKey(
  db: Executor,
  accountId: number,
  key: string,
): Promise<Row<'idempotency_key'> | undefined> {
  return db
    .selectFrom('idempotency_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function updateKey(
  db: Executor,
  accountId: number,
  key: string,
  changes: { readonly status: number; readonly answer: string; readonly expires_at: number },
): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set(changes)
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute()
}

export async function deleteKey(db: Executor, accountId: number, key: string): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute()
}

/** Nothing happens to one that somebody has just taken over. */
export async function deleteExpiredKey(
  db: Executor,
  accountId: number,
  key: string,
  now: number,
): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('expires_at', '<', now)
    .execute()
}

export async function deleteExpiredKeys(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('idempotency_key').where('expires_at', '<', now).execute()
}
