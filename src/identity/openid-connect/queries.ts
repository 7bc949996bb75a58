import type { Executor } from '../../platform/db/database.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { toAccount, type Account } from '../users/account.ts'

export async function findAccountOf(
  db: Executor,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<Account | undefined> {
  const row = await db
    .selectFrom('openid_identity')
    .innerJoin('account', 'account.id', 'openid_identity.account_id')
    .selectAll('account')
    .where('openid_identity.issuer', '=', issuer)
    .where('openid_identity.subject', '=', subject)
    .executeTakeFirst()
  return row && toAccount(row)
}

/** False when it belongs to an account already. */
export async function insertIdentity(
  db: Executor,
  identity: NewRow<'openid_identity'>,
): Promise<boolean> {
  const row = await db
    .insertInto('openid_identity')
    .values(identity)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Oldest first. */
export async function listIdentities(
  db: Executor,
  accountId: number,
): Promise<readonly Row<'openid_identity'>[]> {
  return db
    .selectFrom('openid_identity')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
}

export async function deleteIdentity(
  db: Executor,
  accountId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('openid_identity')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
