import type { Context } from '../../platform/context.ts'
import type { Account } from '../users/account.ts'
import { findById } from '../users/load.ts'
import { findByFingerprint, updateKeyUse, type PublicKey } from './queries.ts'

export interface KeyHolder {
  readonly key: PublicKey
  readonly account: Account
}

/** Whose key it is. */
export async function findKeyHolder(
  ctx: Context,
  fingerprint: string,
): Promise<KeyHolder | undefined> {
  const key = await findByFingerprint(ctx.db, fingerprint)
  const account = key && (await findById(ctx, key.accountId))
  return account && { key, account }
}

export async function noteKeyUse(ctx: Context, { id }: PublicKey): Promise<void> {
  await updateKeyUse(ctx.db, id, ctx.now())
}
