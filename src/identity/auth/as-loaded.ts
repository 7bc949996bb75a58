import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import type { Account } from '../users/account.ts'

/**
 * Whether the account is still the one whose password or code was checked, and may be used by who
 * showed it.
 */
export function isAsLoaded(account: Account) {
  return (eb: ExpressionBuilder<Schema, 'account'>): Expression<SqlBool> =>
    eb.and({
      id: account.id,
      password_hash: account.passwordHash,
      totp_secret: account.totpSecret,
      security_keys: account.securityKeys,
      is_active: account.isActive ? 1 : 0,
      prohibit_login: 0,
    })
}

/**
 * Until the transaction ends nobody changes the account; false when somebody has, since it was
 * loaded.
 */
export async function holdAsLoaded(tx: Executor, account: Account, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ updated_at: now })
    .where(isAsLoaded(account))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
