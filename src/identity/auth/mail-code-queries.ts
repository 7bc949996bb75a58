import type { Executor } from '../../platform/db/database.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { toAccount, type Account } from '../users/account.ts'

/** An address, and the person whose it is. */
export interface AddressOfPerson {
  readonly addressId: number
  /** As it is stored, which is where mail goes. */
  readonly address: string
  readonly isPrimary: boolean
  readonly isActivated: boolean
  readonly account: Account
}

function addresses(db: Executor) {
  return db
    .selectFrom('email_address')
    .innerJoin('account', 'account.id', 'email_address.account_id')
    .selectAll('account')
    .select([
      'email_address.id as address_id',
      'email_address.address',
      'email_address.is_primary',
      'email_address.is_activated',
    ])
    .where('account.kind', '=', 'person')
    .where('account.prohibit_login', '=', 0)
}

type AddressRow = Awaited<ReturnType<ReturnType<typeof addresses>['executeTakeFirstOrThrow']>>

function toAddress(row: AddressRow): AddressOfPerson {
  return {
    addressId: row.address_id,
    address: row.address,
    isPrimary: row.is_primary === 1,
    isActivated: row.is_activated === 1,
    account: toAccount(row),
  }
}

/** Of people who may sign in. */
export async function findConfirmedAddress(
  db: Executor,
  address: string,
): Promise<AddressOfPerson | undefined> {
  const row = await addresses(db)
    .where('email_address.lower_address', '=', address.toLowerCase())
    .where('email_address.is_activated', '=', 1)
    .executeTakeFirst()
  return row && toAddress(row)
}

/** The one to which everything goes that is about the account itself. */
export async function findConfirmedPrimary(
  db: Executor,
  accountId: number,
): Promise<AddressOfPerson | undefined> {
  const row = await addresses(db)
    .where('email_address.account_id', '=', accountId)
    .where('email_address.is_primary', '=', 1)
    .where('email_address.is_activated', '=', 1)
    .executeTakeFirst()
  return row && toAddress(row)
}

/** As many as one mail names. */
const MAX_AWAITING = 10

/**
 * Of people who could sign in if they had confirmed it, the latest first; of nobody when somebody
 * has.
 */
export async function findUnconfirmedAddresses(
  db: Executor,
  address: string,
): Promise<readonly AddressOfPerson[]> {
  const rows = await addresses(db)
    .where('email_address.lower_address', '=', address.toLowerCase())
    .where('email_address.is_activated', '=', 0)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('email_address as confirmed')
            .select('confirmed.id')
            .whereRef('confirmed.lower_address', '=', 'email_address.lower_address')
            .where('confirmed.is_activated', '=', 1),
        ),
      ),
    )
    .orderBy('email_address.id', 'desc')
    .limit(MAX_AWAITING)
    .execute()
  return rows.map(toAddress)
}

export async function insertMailCode(db: Executor, code: NewRow<'mail_code'>): Promise<void> {
  await db.insertInto('mail_code').values(code).execute()
}

export interface MailCode extends AddressOfPerson {
  readonly passwordMark: string
}

export async function findMailCode(
  db: Executor,
  { hash, purpose, now }: { hash: string; purpose: string; now: number },
): Promise<MailCode | undefined> {
  const row = await addresses(db)
    .innerJoin('mail_code', 'mail_code.email_address_id', 'email_address.id')
    .select('mail_code.password_mark')
    .where('mail_code.hash', '=', hash)
    .where('mail_code.purpose', '=', purpose)
    .where('mail_code.expires_at', '>', now)
    .executeTakeFirst()
  return row && { ...toAddress(row), passwordMark: row.password_mark }
}

/** Whether it was there; it is used up now. */
export async function takeMailCode(db: Executor, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mail_code')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteMailCodesOf(
  db: Executor,
  accountId: number,
  purpose: string,
): Promise<void> {
  await db
    .deleteFrom('mail_code')
    .where('purpose', '=', purpose)
    .where('email_address_id', 'in', (eb) =>
      eb.selectFrom('email_address').select('id').where('account_id', '=', accountId),
    )
    .execute()
}

export async function deleteExpiredMailCodes(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('mail_code').where('expires_at', '<=', now).execute()
}
