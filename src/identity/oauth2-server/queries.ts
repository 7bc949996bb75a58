import type { Executor } from '../../platform/db/database.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { toAccount, type Account } from '../users/account.ts'

/** What somebody lets an application do for them. */
export interface Grant {
  readonly id: number
  readonly account: Account
  readonly applicationId: number
  readonly scope: string
}

/** What was agreed to last is what holds. */
export async function upsertGrant(db: Executor, grant: NewRow<'oauth2_grant'>): Promise<number> {
  const { id } = await db
    .insertInto('oauth2_grant')
    .values(grant)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'application_id']).doUpdateSet({ scope: grant.scope }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findScope(
  db: Executor,
  accountId: number,
  applicationId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('oauth2_grant')
    .select('scope')
    .where('account_id', '=', accountId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row?.scope
}

export async function findGrant(db: Executor, id: number): Promise<Grant | undefined> {
  const row = await db
    .selectFrom('oauth2_grant')
    .innerJoin('account', 'account.id', 'oauth2_grant.account_id')
    .selectAll('account')
    .select(['oauth2_grant.id as grant_id', 'application_id', 'scope'])
    .where('oauth2_grant.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { grant_id, application_id: applicationId, scope, ...account } = row
  return { id: grant_id, account: toAccount(account), applicationId, scope }
}

export interface ListedGrant {
  readonly id: number
  readonly application: string
  readonly scope: string
  readonly createdAt: number
}

export async function listGrants(db: Executor, accountId: number): Promise<readonly ListedGrant[]> {
  const rows = await db
    .selectFrom('oauth2_grant')
    .innerJoin('oauth2_application', 'oauth2_application.id', 'oauth2_grant.application_id')
    .select(['oauth2_grant.id', 'name', 'scope', 'oauth2_grant.created_at'])
    .where('oauth2_grant.account_id', '=', accountId)
    .orderBy('oauth2_grant.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    application: row.name,
    scope: row.scope,
    createdAt: row.created_at,
  }))
}

/** With all that came of it. */
export async function deleteGrant(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('oauth2_grant').where('id', '=', id).execute()
}

/** Whether there was such a grant of this account. */
export async function deleteGrantOf(db: Executor, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth2_grant')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function insertCode(db: Executor, code: NewRow<'oauth2_code'>): Promise<void> {
  await db.insertInto('oauth2_code').values(code).execute()
}

export async function insertRefreshToken(
  db: Executor,
  token: NewRow<'oauth2_refresh_token'>,
): Promise<void> {
  await db.insertInto('oauth2_refresh_token').values(token).execute()
}

/** A code that was given to this application. */
export async function findCode(
  db: Executor,
  hash: string,
  applicationId: number,
): Promise<Row<'oauth2_code'> | undefined> {
  return db
    .selectFrom('oauth2_code')
    .innerJoin('oauth2_grant', 'oauth2_grant.id', 'oauth2_code.grant_id')
    .selectAll('oauth2_code')
    .where('hash', '=', hash)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
}

export async function findRefreshToken(
  db: Executor,
  hash: string,
  applicationId: number,
): Promise<Row<'oauth2_refresh_token'> | undefined> {
  return db
    .selectFrom('oauth2_refresh_token')
    .innerJoin('oauth2_grant', 'oauth2_grant.id', 'oauth2_refresh_token.grant_id')
    .selectAll('oauth2_refresh_token')
    .where('hash', '=', hash)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
}

type OnceOnly = 'oauth2_code' | 'oauth2_refresh_token'

/** False when somebody has used it before. */
export async function claim(
  db: Executor,
  table: OnceOnly,
  hash: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteExpired(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('oauth2_code').where('expires_at', '<=', now).execute()
  await db.deleteFrom('oauth2_refresh_token').where('expires_at', '<=', now).execute()
}

export async function findIdentityKey(db: Executor): Promise<string | undefined> {
  const row = await db
    .selectFrom('identity_key')
    .select('private_key')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.private_key
}

export async function insertIdentityKey(db: Executor, key: NewRow<'identity_key'>): Promise<void> {
  await db.insertInto('identity_key').values(key).execute()
}
