import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'

/** A program that people let act for them. */
export interface Application {
  readonly id: number
  readonly name: string
  readonly clientId: string
  readonly isConfidential: boolean
  readonly skipsSecondaryAuthorization: boolean
  readonly redirectUris: readonly string[]
  readonly createdAt: number
  /** Nobody owns those that come with the server. */
  readonly ownerId: number | undefined
  /** Empty where there is none. */
  readonly secretHash: string
}

function toApplication(row: Row<'oauth2_application'>): Application {
  return {
    id: row.id,
    name: row.name,
    clientId: row.client_id,
    isConfidential: row.confidential_client === 1,
    skipsSecondaryAuthorization: row.skip_secondary_authorization === 1,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    createdAt: row.created_at,
    ownerId: row.account_id ?? undefined,
    secretHash: row.secret_hash,
  }
}

export async function insertApplication(
  db: Executor,
  application: NewRow<'oauth2_application'>,
): Promise<Application> {
  const row = await db
    .insertInto('oauth2_application')
    .values(application)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toApplication(row)
}

export async function findApplication(
  db: Executor,
  accountId: number,
  id: number,
): Promise<Application | undefined> {
  const row = await db
    .selectFrom('oauth2_application')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && toApplication(row)
}

/** Another request may do so at the same moment. */
export async function addBuiltIn(
  db: Executor,
  application: NewRow<'oauth2_application'>,
): Promise<void> {
  await db
    .insertInto('oauth2_application')
    .values(application)
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .execute()
}

export async function findByClientId(
  db: Executor,
  clientId: string,
): Promise<Application | undefined> {
  const row = await db
    .selectFrom('oauth2_application')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row && toApplication(row)
}

export async function listApplications(
  db: Executor,
  accountId: number,
  page: Page,
): Promise<PageOf<Application>> {
  const query = db
    .selectFrom('oauth2_application')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
  return mapPage(await fetchPage(query, page), toApplication)
}

export async function updateApplication(
  db: Executor,
  accountId: number,
  id: number,
  changes: Changes<'oauth2_application'>,
): Promise<Application | undefined> {
  const row = await db
    .updateTable('oauth2_application')
    .set(changes)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst()
  return row && toApplication(row)
}

/** False when there was none. */
export async function deleteApplication(
  db: Executor,
  accountId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth2_application')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
