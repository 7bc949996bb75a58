import type { Context } from '../../platform/context.ts'
import type { Account } from '../users/account.ts'
import { findByPrimaryAddress } from './queries.ts'

/**
 * The person whose primary address this is, where it is confirmed. One that was added since, by
 * whatever holds a token, signs nobody in.
 */
export async function findByAddress(ctx: Context, email: string): Promise<Account | undefined> {
  return email === '' ? undefined : findByPrimaryAddress(ctx.db, email)
}
