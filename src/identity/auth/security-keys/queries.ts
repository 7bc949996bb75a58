import { sql } from 'kysely'
import type { Executor } from '../../../platform/db/database.ts'
import type { NewRow, Row } from '../../../platform/db/schema.ts'
import { toAccount, type Account } from '../../users/account.ts'

export interface SecurityKey {
  readonly id: number
  readonly name: string
  readonly credentialId: string
  readonly publicKey: string
  readonly createdAt: number
  /** 0 while it was not. */
  readonly lastUsedAt: number
}

function toSecurityKey(row: Row<'security_key'>): SecurityKey {
  return {
    id: row.id,
    name: row.name,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

/** All of them: there are few. */
export async function findKeys(db: Executor, accountId: number): Promise<readonly SecurityKey[]> {
  const rows = await db
    .selectFrom('security_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(toSecurityKey)
}

export async function findKey(
  db: Executor,
  accountId: number,
  credentialId: string,
): Promise<SecurityKey | undefined> {
  const row = await db
    .selectFrom('security_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row && toSecurityKey(row)
}

/** A key, and whose it is. */
export interface OwnedKey {
  readonly key: SecurityKey
  readonly account: Account
}

export async function findOwnedKey(
  db: Executor,
  credentialId: string,
): Promise<OwnedKey | undefined> {
  const key = await db
    .selectFrom('security_key')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  if (!key) return undefined
  const account = await db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', key.account_id)
    .executeTakeFirst()
  return account && { key: toSecurityKey(key), account: toAccount(account) }
}

/**
 * Counts one more; false where there are as many as may be. Until the transaction ends, nobody else
 * counts.
 */
export async function claimKeyPlace(
  tx: Executor,
  accountId: number,
  most: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ security_keys: sql`security_keys + 1` })
    .where('id', '=', accountId)
    .where('security_keys', '<', most)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False where there is one of this id, whoever has it. */
export async function insertKey(tx: Executor, key: NewRow<'security_key'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('security_key')
    .values(key)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Notes an answer, unless the key has counted as far before: then another one answers in its name.
 */
export async function claimUse(
  db: Executor,
  id: number,
  signCount: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('security_key')
    .set({ sign_count: signCount, last_used_at: now })
    .where('id', '=', id)
    // Those that do not count say 0 for ever.
    .where('sign_count', signCount === 0 ? '=' : '<', signCount)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Whether there was such a key of this account, which counts one less; where not, nothing may be
 * committed.
 */
export async function deleteKey(tx: Executor, accountId: number, id: number): Promise<boolean> {
  // First the account, as everywhere: so no two wait for each other.
  await tx
    .updateTable('account')
    .set({ security_keys: sql`security_keys - 1` })
    .where('id', '=', accountId)
    .execute()
  const { numDeletedRows } = await tx
    .deleteFrom('security_key')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteKeysOf(tx: Executor, accountId: number): Promise<void> {
  await tx.updateTable('account').set({ security_keys: 0 }).where('id', '=', accountId).execute()
  await tx.deleteFrom('security_key').where('account_id', '=', accountId).execute()
}

export async function insertChallenge(
  tx: Executor,
  challenge: NewRow<'security_key_challenge'>,
): Promise<void> {
  await tx.insertInto('security_key_challenge').values(challenge).execute()
}

/** Until it would have expired; false where it is answered already. */
export async function insertAnswered(
  db: Executor,
  challenge: Omit<NewRow<'security_key_challenge'>, 'holder'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('security_key_challenge')
    .values({ ...challenge, holder: 'answered' })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** All but the newest. */
export async function deleteOlderChallenges(
  tx: Executor,
  holder: string,
  kept: number,
): Promise<void> {
  await tx
    .deleteFrom('security_key_challenge')
    .where('holder', '=', holder)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('security_key_challenge as newer')
        .select('newer.id')
        .where('newer.holder', '=', holder)
        .orderBy('newer.id', 'desc')
        .limit(kept),
    )
    .execute()
}

/** Whether it was there to be answered; it is no longer. */
export async function takeStoredChallenge(
  db: Executor,
  holder: string,
  hash: string,
  now: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('security_key_challenge')
    .where('holder', '=', holder)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteExpiredChallenges(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('security_key_challenge').where('expires_at', '<=', now).execute()
}
