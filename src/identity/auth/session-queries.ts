import type { Executor } from '../../platform/db/database.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { toAccount, type Account } from '../users/account.ts'
import { isAsLoaded } from './as-loaded.ts'

export interface Session {
  readonly id: number
  readonly account: Account
  readonly expiresAt: number
}

/**
 * Notes the time of a sign-in, unless the account is no longer the one whose password was checked.
 * Until the transaction ends, nobody changes its password or its state.
 */
export async function claimSignIn(tx: Executor, account: Account, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ last_login_at: now })
    .where(isAsLoaded(account))
    .where('is_active', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function insertSession(tx: Executor, session: NewRow<'session'>): Promise<void> {
  await tx.insertInto('session').values(session).execute()
}

export async function findSession(
  db: Executor,
  hash: string,
  now: number,
): Promise<Session | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .selectAll('account')
    .select(['session.id as session_id', 'session.expires_at'])
    .where('session.hash', '=', hash)
    .where('session.expires_at', '>', now)
    .executeTakeFirst()
  return row && { id: row.session_id, account: toAccount(row), expiresAt: row.expires_at }
}

export async function hasSession(db: Executor, id: number): Promise<boolean> {
  const row = await db.selectFrom('session').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

export async function updateExpiry(db: Executor, id: number, expiresAt: number): Promise<void> {
  await db.updateTable('session').set({ expires_at: expiresAt }).where('id', '=', id).execute()
}

export async function deleteSession(db: Executor, hash: string): Promise<void> {
  await db.deleteFrom('session').where('hash', '=', hash).execute()
}

export async function deleteSessionsOf(db: Executor, accountId: number): Promise<void> {
  await db.deleteFrom('session').where('account_id', '=', accountId).execute()
}

export async function listSessions(
  db: Executor,
  accountId: number,
  now: number,
): Promise<readonly Row<'session'>[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Whether there was such a session of this account. */
export async function deleteSessionById(
  db: Executor,
  accountId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteOtherSessions(
  db: Executor,
  accountId: number,
  keptId: number,
): Promise<void> {
  await db
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '<>', keptId)
    .execute()
}

export async function deleteExpiredSessions(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
}

export async function insertHalfSignIn(db: Executor, half: NewRow<'half_sign_in'>): Promise<void> {
  await db.insertInto('half_sign_in').values(half).execute()
}

interface StoredHalfSignIn {
  readonly id: number
  readonly account: Account
  readonly state: string
}

export async function findHalfSignIn(
  db: Executor,
  hash: string,
  now: number,
): Promise<StoredHalfSignIn | undefined> {
  const row = await db
    .selectFrom('half_sign_in')
    .innerJoin('account', 'account.id', 'half_sign_in.account_id')
    .selectAll('account')
    .select(['half_sign_in.id as half_id', 'half_sign_in.account_state'])
    .where('half_sign_in.hash', '=', hash)
    .where('half_sign_in.expires_at', '>', now)
    .executeTakeFirst()
  return row && { id: row.half_id, account: toAccount(row), state: row.account_state }
}

/** Whether it was there still. */
export async function deleteHalfSignIn(db: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('half_sign_in')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteExpiredHalfSignIns(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('half_sign_in').where('expires_at', '<=', now).execute()
}
