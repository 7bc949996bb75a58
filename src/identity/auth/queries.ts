import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { statement } from '../../platform/db/statement.ts'
import { toAccount, type Account } from '../users/account.ts'
import { storedScopes, type Scopes } from './scopes.ts'

export interface AccessToken {
  readonly id: number
  readonly accountId: number
  readonly name: string
  readonly lastEight: string
  readonly scopes: Scopes
  readonly createdAt: number
  readonly lastUsedAt: number
}

function toAccessToken(row: Row<'access_token'>): AccessToken {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    lastEight: row.last_eight,
    scopes: storedScopes(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

const selectTokenOwner = statement<Row<'account'> & { token_id: number; token_scopes: string }>(`
  SELECT account.*, access_token.id AS token_id, access_token.scopes AS token_scopes
  FROM access_token
  INNER JOIN account ON account.id = access_token.account_id
  WHERE access_token.hash = ?`)

export interface TokenOwner {
  readonly account: Account
  readonly tokenId: number
  readonly scopes: Scopes
}

export async function findTokenOwner(db: Executor, hash: string): Promise<TokenOwner | undefined> {
  const [row] = await selectTokenOwner(db, hash)
  return (
    row && {
      account: toAccount(row),
      tokenId: row.token_id,
      scopes: storedScopes(row.token_scopes),
    }
  )
}

/** By login name, or by an activated address. */
export async function findBySignInName(db: Executor, name: string): Promise<Account | undefined> {
  const lower = name.toLowerCase()
  const row = await db
    .selectFrom('account')
    .selectAll('account')
    .where('kind', '=', 'person')
    .where((eb) =>
      eb.or([
        eb('lower_name', '=', lower),
        eb(
          'id',
          'in',
          eb
            .selectFrom('email_address')
            .select('account_id')
            .where('lower_address', '=', lower)
            .where('is_activated', '=', 1),
        ),
      ]),
    )
    .executeTakeFirst()
  return row && toAccount(row)
}

export async function findByPrimaryAddress(
  db: Executor,
  address: string,
): Promise<Account | undefined> {
  const row = await db
    .selectFrom('email_address')
    .innerJoin('account', 'account.id', 'email_address.account_id')
    .selectAll('account')
    .where('email_address.lower_address', '=', address.toLowerCase())
    .where('email_address.is_activated', '=', 1)
    .where('email_address.is_primary', '=', 1)
    .where('account.kind', '=', 'person')
    .executeTakeFirst()
  return row && toAccount(row)
}

/** Another hash of the same password; false where the password is another one by now. */
export async function replacePasswordHash(
  db: Executor,
  { id, passwordHash }: Account,
  hash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ password_hash: hash })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes a code's time step; false when it was taken before. */
export async function claimTotpStep(
  db: Executor,
  accountId: number,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ totp_last_step: step })
    .where('id', '=', accountId)
    .where('totp_last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function updateTotpSecret(
  db: Executor,
  accountId: number,
  sealed: string,
): Promise<void> {
  await db
    .updateTable('account')
    .set({ totp_secret: sealed, totp_last_step: 0 })
    .where('id', '=', accountId)
    .execute()
}

/**
 * Where there are no one-time codes yet, with the time step of the code that was shown; false where
 * there is one.
 */
export async function claimTotpSecret(
  db: Executor,
  accountId: number,
  sealed: string,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ totp_secret: sealed, totp_last_step: step })
    .where('id', '=', accountId)
    .where('totp_secret', '=', '')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** In place of those that there were. */
export async function replaceRecoveryCodes(
  db: Executor,
  accountId: number,
  hashes: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((hash) => ({ account_id: accountId, hash }))
  await db.insertInto('recovery_code').values(rows).execute()
}

/** Of an account that has no second factor any more. */
export async function deleteUnneededCodes(db: Executor, accountId: number): Promise<void> {
  await db
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('account')
          .select('id')
          .where('id', '=', accountId)
          .where('totp_secret', '=', '')
          .where('security_keys', '=', 0),
      ),
    )
    .execute()
}

/** Whether there was such a code; it is used up now. */
export async function takeRecoveryCode(
  db: Executor,
  accountId: number,
  hash: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Executor, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select(sql<number>`count(*)`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertAccessToken(
  db: Executor,
  token: NewRow<'access_token'>,
): Promise<AccessToken> {
  const row = await db
    .insertInto('access_token')
    .values(token)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toAccessToken(row)
}

export async function listAccessTokens(
  db: Executor,
  accountId: number,
  page: Page,
): Promise<PageOf<AccessToken>> {
  const query = db
    .selectFrom('access_token')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
  const { items, total } = await fetchPage(query, page)
  return { items: items.map(toAccessToken), total }
}

export async function findAccessToken(db: Executor, id: number): Promise<AccessToken | undefined> {
  const row = await db
    .selectFrom('access_token')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toAccessToken(row)
}

export async function findAccessTokenByName(
  db: Executor,
  accountId: number,
  name: string,
): Promise<AccessToken | undefined> {
  const row = await db
    .selectFrom('access_token')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && toAccessToken(row)
}

/** By id of the token; another process may have seen a later use. */
export async function updateLastUse(
  db: Executor,
  seen: ReadonlyMap<number, number>,
): Promise<void> {
  const uses = [...seen].map(([id, at]) => sql`WHEN ${id} THEN ${at}`)
  const lastUse = sql<number>`CASE id ${sql.join(uses, sql` `)} ELSE last_used_at END`
  await db
    .updateTable('access_token')
    .set({ last_used_at: lastUse })
    .where('id', 'in', [...seen.keys()])
    .where('last_used_at', '<', lastUse)
    .execute()
}

/** Whether there was such a token of this account. */
export async function deleteAccessToken(
  db: Executor,
  accountId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('access_token')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Counts a try where there is still one, in a new window when the old one is over. Gives when the
 * window began, and nothing where there is none left.
 */
export async function takeTry(
  db: Executor,
  subject: string,
  now: number,
  { allowed, window }: { readonly allowed: number; readonly window: number },
): Promise<number | undefined> {
  const isOver = sql<boolean>`sign_in_failure.window_start <= ${now - window}`
  const row = await db
    .insertInto('sign_in_failure')
    .values({ subject, window_start: now, failures: 1 })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet({
          failures: sql`CASE WHEN ${isOver} THEN 1 ELSE sign_in_failure.failures + 1 END`,
          window_start: sql`CASE WHEN ${isOver} THEN ${now} ELSE sign_in_failure.window_start END`,
        })
        .where(sql<boolean>`${isOver} OR sign_in_failure.failures < ${allowed}`),
    )
    .returning('window_start')
    .executeTakeFirst()
  return row?.window_start
}

/** Of the window in which it was taken: a later one does not know it. */
export async function giveBackTry(
  db: Executor,
  subject: string,
  windowStart: number,
): Promise<void> {
  await db
    .updateTable('sign_in_failure')
    .set({ failures: sql`failures - 1` })
    .where('subject', '=', subject)
    .where('window_start', '=', windowStart)
    .where('failures', '>', 0)
    .execute()
}

export async function findWindowStart(db: Executor, subject: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('sign_in_failure')
    .select('window_start')
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.window_start
}

/**
 * Counts a failure, or something else that has its limit, in a new window when the old one is over.
 */
export async function countFailure(
  db: Executor,
  subject: string,
  now: number,
  windowSeconds: number,
  by = 1,
): Promise<Row<'sign_in_failure'>> {
  const expired = sql<boolean>`sign_in_failure.window_start <= ${now - windowSeconds}`
  return db
    .insertInto('sign_in_failure')
    .values({ subject, window_start: now, failures: by })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        failures: sql`CASE WHEN ${expired} THEN ${by} ELSE sign_in_failure.failures + ${by} END`,
        window_start: sql`CASE WHEN ${expired} THEN ${now} ELSE sign_in_failure.window_start END`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findFailures(
  db: Executor,
  subject: string,
): Promise<Row<'sign_in_failure'> | undefined> {
  return db
    .selectFrom('sign_in_failure')
    .selectAll()
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Whether there were any. */
export async function deleteFailures(db: Executor, subject: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_failure')
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteOldFailures(db: Executor, upTo: number): Promise<void> {
  await db.deleteFrom('sign_in_failure').where('window_start', '<=', upTo).execute()
}

export async function isKnownAddress(
  db: Executor,
  accountId: number,
  address: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('known_address')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

export async function noteKnownAddress(
  db: Executor,
  accountId: number,
  address: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('known_address')
    .values({ account_id: accountId, address, seen_at: now })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'address']).doUpdateSet({ seen_at: now }),
    )
    .execute()
}

export async function deleteOldAddresses(db: Executor, before: number): Promise<void> {
  await db.deleteFrom('known_address').where('seen_at', '<', before).execute()
}
