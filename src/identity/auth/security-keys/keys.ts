import type { Context } from '../../../platform/context.ts'
import type { Executor } from '../../../platform/db/database.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Account } from '../../users/account.ts'
import { forgetUnneededCodes } from '../recovery-codes.ts'
import { tellingTransaction, tellOwner, type Trace } from '../security-news.ts'
import { deleteKey, deleteKeysOf, findKeys, type SecurityKey } from './queries.ts'

export type { SecurityKey } from './queries.ts'

export async function securityKeysOf(
  { db }: Context,
  account: Account,
): Promise<readonly SecurityKey[]> {
  return findKeys(db, account.id)
}

export async function loadSecurityKey(
  ctx: Context,
  account: Account,
  id: number,
): Promise<SecurityKey> {
  const key = (await securityKeysOf(ctx, account)).find((one) => one.id === id)
  if (!key) throw notFound()
  return key
}

export async function removeSecurityKey(
  ctx: Context,
  account: Account,
  { id, name }: SecurityKey,
  trace: Trace,
): Promise<void> {
  await tellingTransaction(ctx, async (tx) => {
    if (!(await deleteKey(tx, account.id, id))) throw notFound()
    await forgetUnneededCodes(tx, account)
    await tellOwner(ctx, tx, account, { what: 'security_key_removed', named: name }, trace)
  })
}

export async function removeKeysIn(tx: Executor, { id }: Account): Promise<void> {
  await deleteKeysOf(tx, id)
}
