import type { Context } from '../context.ts'
import type { Account } from '../users/account.ts'
import { findByActivatedAddress } from './queries.ts'

/** The person with this e-mail address, where it is confirmed. */
export async function findByAddress(ctx: Context, email: string): Promise<Account | undefined> {
  return email === '' ? undefined : findByActivatedAddress(ctx.db, email)
}
