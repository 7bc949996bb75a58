import { findPersonByAddress } from '../../identity/auth/mail-codes.ts'
import { callerOf, type Context, type SignedInCaller } from '../../platform/context.ts'
import { findById } from '../../identity/users/load.ts'
import { wantsMail } from '../../identity/users/mail-news.ts'

/** Somebody who is mailed, and may see what they could see themselves. */
export interface Recipient {
  readonly caller: SignedInCaller
  readonly address: string
}

/**
 * Whoever still has an account that can be used, a confirmed address, and the wish to be mailed.
 */
export async function findRecipient(
  ctx: Context,
  { accountId, isMentioned }: { readonly accountId: number; readonly isMentioned: boolean },
): Promise<Recipient | undefined> {
  const account = await findById(ctx, accountId)
  if (!account?.isActive || account.prohibitLogin) return undefined
  if (!wantsMail(account.mailNews, isMentioned)) return undefined
  const found = await findPersonByAddress(ctx, account.email)
  if (found?.account.id !== account.id) return undefined
  return { caller: callerOf(account), address: found.address }
}
