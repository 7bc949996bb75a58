import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'
import { contains } from '../db/like.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import { toEmailAddress, type EmailAddress } from './queries.ts'

/** An address, and whose it is. */
export interface OwnedAddress extends EmailAddress {
  readonly accountId: number
  readonly accountName: string
}

/** The addresses of all people, in their order; those that have `text` in them, or in a name of the person. */
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
