import {
  findAwaiting,
  holdForCode,
  openMailCode,
  useMailCode,
  type AddressOfPerson,
  type MailCode,
} from '../auth/mail-codes.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Account } from './account.ts'
import { isEmailAddress } from '../../platform/account-names.ts'
import { confirmEmailAddress, listEmailAddresses } from './email-queries.ts'
import { updateAccount } from './queries.ts'

/** Whether an address counts only when its owner has shown to read what is mailed there. */
export function confirmsAddresses({ config }: Pick<Context, 'config'>): boolean {
  return config.security.email_confirmation
}

/**
 * In the transaction that adds the addresses. Nobody is flooded: what is too much is left for the
 * owner to ask for.
 */
export async function mailConfirmations(
  ctx: Context,
  tx: Executor,
  account: Account,
  addresses: readonly string[],
): Promise<void> {
  for (const email of addresses) {
    if (!(await ctx.signInLimits.mayMail(tx, { from: account.id, to: email }))) continue
    await ctx.jobs.enqueue(tx, 'mail_confirmation', { email })
  }
}

/** Whether it is anybody's is looked at when the mail is sent, as with a forgotten password. */
export async function askForConfirmation(
  ctx: Context,
  email: string,
  { address }: { readonly address: string },
): Promise<void> {
  if (!isEmailAddress(email))
    throw invalid('this is no e-mail address', { reason: 'email_invalid' })
  await ctx.signInLimits.countAsk({ address, name: email })
  await ctx.jobs.enqueue(ctx.db, 'mail_confirmation', { email })
  ctx.jobs.wake()
}

/** Has signed up, and only has to confirm the address. */
export async function awaitsConfirmation(ctx: Context, account: Account): Promise<boolean> {
  if (account.isActive || !confirmsAddresses(ctx)) return false
  const [primary] = await listEmailAddresses(ctx.db, account.id)
  return primary !== undefined && primary.isPrimary && !primary.isActivated
}

/** Who says that it is their address. */
export async function findToConfirm(
  ctx: Context,
  email: string,
): Promise<readonly AddressOfPerson[]> {
  return (await findAwaiting(ctx, email)).filter(isConfirmable)
}

export async function openConfirmation(ctx: Context, code: string): Promise<MailCode | undefined> {
  const found = await openMailCode(ctx, 'confirm', code)
  return found && isConfirmable(found) ? found : undefined
}

/** An account that an administrator has switched off is not switched on by a mail. */
function isConfirmable({ isActivated, isPrimary, account }: AddressOfPerson): boolean {
  return !isActivated && (account.isActive || isPrimary)
}

/** The address counts from now on; so does the account that was waiting for it. */
export async function confirmAddress(ctx: Context, code: string): Promise<Account> {
  const found = await openConfirmation(ctx, code)
  if (!found) throw notFound()
  const { account, addressId, address } = found
  return ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'email_addresses')
    // In the order in which an administrator's change takes them, so that neither waits for the
    // other.
    if (!(await confirmEmailAddress(tx, { id: addressId, address }))) throw notFound()
    if (!(await useMailCode(ctx, tx, code))) throw notFound()
    if (!(await holdForCode(ctx, tx, account))) throw notFound()
    return updateAccount(tx, account.id, { is_active: 1, updated_at: ctx.now() })
  })
}
