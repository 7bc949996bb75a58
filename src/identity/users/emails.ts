import { tellingTransaction, tellOwner, type Trace } from '../auth/security-news.ts'
import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Account } from './account.ts'
import { isEmailAddress } from '../../platform/account-names.ts'
import { askForConfirmation, confirmsAddresses, mailConfirmations } from './confirm.ts'
import {
  deleteEmailAddresses,
  insertEmailAddress,
  listEmailAddresses,
  type EmailAddress,
} from './email-queries.ts'

/** Those of an account, the primary one first. */
export async function emailAddressesOf(
  ctx: Context,
  account: Account,
): Promise<readonly EmailAddress[]> {
  return listEmailAddresses(ctx.db, account.id)
}

/** Where the operator says which addresses people have, there is nothing to manage. */
export function assertManagesEmails({ config }: Context): void {
  if (!config.users.manage_emails) throw notFound()
}

/** Adds all of `addresses` or none; answers with the whole list. */
export async function addEmailAddresses(
  ctx: Context,
  account: Account,
  addresses: readonly string[],
  trace: Trace,
): Promise<readonly EmailAddress[]> {
  if (addresses.length === 0) throw invalid('Email list empty')
  const bad = addresses.find((address) => !isEmailAddress(address))
  if (bad !== undefined)
    throw invalid(`Email address "${bad}" invalid`, { reason: 'email_invalid' })
  const isActivated = !confirmsAddresses(ctx)
  return tellingTransaction(ctx, async (tx) => {
    await lock(ctx.db.dialect, tx, 'email_addresses')
    for (const address of addresses) {
      const state = { isPrimary: false, isActivated }
      const added = await insertEmailAddress(tx, account.id, address, state)
      if (!added)
        throw invalid(`Email address has been used: ${address}`, { reason: 'email_taken' })
    }
    if (!isActivated) await mailConfirmations(ctx, tx, account, addresses)
    const changed = { what: 'email_added', named: addresses.join(', ') } as const
    await tellOwner(ctx, tx, account, changed, trace)
    return listEmailAddresses(tx, account.id)
  })
}

/** Once more, for an own address that waits to be confirmed. */
export async function mailConfirmationAgain(
  ctx: Context,
  account: Account,
  address: string,
  from: { readonly address: string },
): Promise<void> {
  const own = (await listEmailAddresses(ctx.db, account.id)).find((one) => one.address === address)
  if (!own || own.isActivated) throw notFound()
  await askForConfirmation(ctx, own.address, from)
}

/** Removes all of `addresses` or none. */
export async function removeEmailAddresses(
  ctx: Context,
  account: Account,
  addresses: readonly string[],
  trace: Trace,
): Promise<void> {
  await tellingTransaction(ctx, async (tx) => {
    await lock(ctx.db.dialect, tx, 'email_addresses')
    const own = new Map(
      (await listEmailAddresses(tx, account.id)).map((one) => [one.address.toLowerCase(), one]),
    )
    const found = addresses.map((address) => {
      const one = own.get(address.toLowerCase())
      if (!one) throw notFound(`Email address does not exist [email: ${address}]`)
      if (one.isPrimary)
        throw invalid(`The primary email address cannot be removed [email: ${address}]`)
      return one.id
    })
    await deleteEmailAddresses(tx, found)
    if (found.length === 0) return
    const changed = { what: 'email_removed', named: addresses.join(', ') } as const
    await tellOwner(ctx, tx, account, changed, trace)
  })
}
