import type { Context } from '../../platform/context.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { isEmailAddress } from '../../platform/account-names.ts'
import { assertPasswordAllowed } from '../users/create.ts'
import { changePassword } from '../users/edit.ts'
import { triesSecondFactor, type Presented } from './authenticate.ts'
import { deleteMailCodesOf } from './mail-code-queries.ts'
import {
  findPersonByAddress,
  findPrimaryAddress,
  hasSamePassword,
  holdForCode,
  openMailCode,
  useMailCode,
  type AddressOfPerson,
  type MailCode,
} from './mail-codes.ts'
import type { Trace } from './security-news.ts'

/**
 * Whether it is anybody's is looked at when the mail is sent: who asks learns nothing, not even by
 * the time it takes.
 */
export async function askForReset(
  ctx: Context,
  email: string,
  { address }: Pick<Presented, 'address'>,
): Promise<void> {
  if (!isEmailAddress(email))
    throw invalid('this is no e-mail address', { reason: 'email_invalid' })
  await ctx.signInLimits.countAsk({ address, name: email })
  await ctx.jobs.enqueue(ctx.db, 'mail_reset', { email })
  ctx.jobs.wake()
}

/**
 * Whom to mail: only who has shown before that the address is theirs. Whichever of their addresses
 * was typed, the mail goes to the primary one: whoever may add an address is not on the way to the
 * account.
 */
export async function findToReset(
  ctx: Context,
  email: string,
): Promise<AddressOfPerson | undefined> {
  const found = await findPersonByAddress(ctx, email)
  if (!found?.account.isActive) return undefined
  if (found.isPrimary) return found
  await askAtPrimaryAddress(ctx, found.account)
  return undefined
}

/**
 * As if that had been typed: it is mailed no more often, whichever of their addresses is asked
 * for.
 */
async function askAtPrimaryAddress(ctx: Context, { id }: Account): Promise<void> {
  const primary = await findPrimaryAddress(ctx.db, id)
  if (!primary || !(await ctx.signInLimits.mayMailTo(ctx.db, primary.address))) return
  await ctx.jobs.enqueue(ctx.db, 'mail_reset', { email: primary.address })
  ctx.jobs.wake()
}

/** While the code is good, and the password still the one that was forgotten. */
export async function openReset(ctx: Context, code: string): Promise<MailCode | undefined> {
  const found = await openMailCode(ctx, 'reset', code)
  if (!found?.isActivated || !found.isPrimary || !found.account.isActive) return undefined
  return hasSamePassword(ctx, found) ? found : undefined
}

/** For whoever has the code of a mail, and the second factor where there is one. */
export async function resetPassword(
  ctx: Context,
  { code, newPassword }: { code: string; newPassword: string },
  { address, oneTimeCode }: Pick<Presented, 'address' | 'oneTimeCode'>,
  trace: Trace,
): Promise<void> {
  assertPasswordAllowed(ctx, newPassword)
  const found = await openReset(ctx, code)
  if (!found) throw usedUp()
  const { account } = found
  if (!(await triesSecondFactor(ctx, account, { address, oneTimeCode }))) {
    throw new AppError('unauthenticated', 'invalid one-time code')
  }
  await changePassword(ctx, account, newPassword, { mustChange: false, trace }, async (tx) => {
    if (!(await useMailCode(ctx, tx, code))) throw usedUp()
    await deleteMailCodesOf(tx, account.id, 'reset')
    if (!(await holdForCode(ctx, tx, account))) throw usedUp()
  })
}

function usedUp(): AppError {
  return new AppError('not_found', 'the code is not good any more')
}
