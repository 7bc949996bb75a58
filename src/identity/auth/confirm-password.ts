import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { checkPassword, type Second } from './authenticate.ts'

/** Whoever sits before a browser in which somebody is signed in need not be that person. */
export async function confirmPassword(
  ctx: Context,
  account: Account,
  password: string,
  second: Second,
): Promise<void> {
  const confirmed = await checkPassword(ctx, { name: account.name, password }, second)
  if (confirmed?.id !== account.id)
    throw invalid('password or one-time code is wrong', { reason: 'password_wrong' })
}
