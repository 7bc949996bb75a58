import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { contains } from '../../platform/db/like.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Row } from '../../platform/db/schema.ts'

export interface EmailAddress {
  readonly id: number
  readonly address: string
  readonly isPrimary: boolean
  readonly isActivated: boolean
}

function toEmailAddress(row: Row<'email_address'>): EmailAddress {
  return {
    id: row.id,
    address: row.address,
    isPrimary: row.is_primary === 1,
    isActivated: row.is_activated === 1,
  }
}

/** The primary one first. */
export async function listEmailAddresses(
  db: Executor,
  accountId: number,
): Promise<readonly EmailAddress[]> {
  const rows = await db
    .selectFrom('email_address')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('is_primary', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toEmailAddress)
}

/**
 * False when the account has the address already, or somebody has shown that it is theirs. Any
 * number of accounts may wait for one address to be confirmed.
 */
export async function insertEmailAddress(
  db: Executor,
  accountId: number,
  address: string,
  { isPrimary, isActivated }: { isPrimary: boolean; isActivated: boolean },
): Promise<boolean> {
  if (await isConfirmed(db, address)) return false
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('email_address')
    .values({
      account_id: accountId,
      address,
      lower_address: address.toLowerCase(),
      is_primary: isPrimary ? 1 : 0,
      is_activated: isActivated ? 1 : 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((numInsertedOrUpdatedRows ?? 0n) === 0n) return false
  if (isActivated) await endWaitFor(db, address)
  return true
}

async function isConfirmed(
  db: Executor,
  address: string,
  { except = 0 }: { except?: number } = {},
): Promise<boolean> {
  const row = await db
    .selectFrom('email_address')
    .select('id')
    .where('lower_address', '=', address.toLowerCase())
    .where('is_activated', '=', 1)
    .where('id', '<>', except)
    .executeTakeFirst()
  return row !== undefined
}

/** False when somebody else has shown that it is theirs, or the account has it no longer. */
export async function confirmEmailAddress(
  db: Executor,
  { id, address }: Pick<EmailAddress, 'id' | 'address'>,
): Promise<boolean> {
  if (await isConfirmed(db, address, { except: id })) return false
  const { numUpdatedRows } = await db
    .updateTable('email_address')
    .set({ is_activated: 1 })
    .where('id', '=', id)
    .executeTakeFirst()
  await endWaitFor(db, address)
  return numUpdatedRows === 1n
}

/**
 * Nobody else can confirm what has been confirmed. An account that was to begin with the address
 * keeps it, and stays off.
 */
async function endWaitFor(db: Executor, address: string): Promise<void> {
  const waiting = db
    .selectFrom('email_address')
    .select('id')
    .where('lower_address', '=', address.toLowerCase())
    .where('is_activated', '=', 0)
  await db.deleteFrom('mail_code').where('email_address_id', 'in', waiting).execute()
  await db
    .deleteFrom('email_address')
    .where('id', 'in', waiting.where('is_primary', '=', 0))
    .execute()
}

export async function deleteEmailAddresses(db: Executor, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('email_address').where('id', 'in', ids).execute()
}

export async function promoteEmailAddress(
  db: Executor,
  id: number,
  address: string,
): Promise<void> {
  await db
    .updateTable('email_address')
    .set({ is_primary: 1, address })
    .where('id', '=', id)
    .execute()
}

/** An address, and whose it is. */
export interface OwnedAddress extends EmailAddress {
  readonly accountId: number
  readonly accountName: string
}

/**
 * The addresses of all people, in their order; those that have `text` in them, or in a name of the
 * person.
 */
export async function searchEmailAddresses(
  db: Executor,
  text: string,
  page: Page,
): Promise<PageOf<OwnedAddress>> {
  const all = db
    .selectFrom('email_address')
    .innerJoin('account', 'account.id', 'email_address.account_id')
    .selectAll('email_address')
    .select('account.name as accountName')
    .orderBy('email_address.lower_address')
    // Any number of people may wait for the same one to be confirmed.
    .orderBy('email_address.id')
  const lower = text.toLowerCase()
  const found = all.where((eb) =>
    eb.or([
      contains(sql.ref('email_address.lower_address'), lower),
      contains(sql.ref('account.lower_name'), lower),
      contains(sql.ref('account.lower_full_name'), lower),
    ]),
  )
  return mapPage(await fetchPage(text === '' ? all : found, page), (row) => ({
    ...toEmailAddress(row),
    accountId: row.account_id,
    accountName: row.accountName,
  }))
}
