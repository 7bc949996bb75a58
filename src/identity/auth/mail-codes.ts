import { randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Account } from '../users/account.ts'
import { holdAsLoaded } from './as-loaded.ts'
import {
  deleteExpiredMailCodes,
  findConfirmedAddress,
  findConfirmedPrimary,
  findUnconfirmedAddresses,
  findMailCode,
  insertMailCode,
  takeMailCode,
  type AddressOfPerson,
  type MailCode,
} from './mail-code-queries.ts'

export type { AddressOfPerson, MailCode } from './mail-code-queries.ts'

/** What somebody shows by a code: that they read what is mailed to an address. */
export type Purpose = 'reset' | 'confirm'

/** How long each is good for. */
export const codeSeconds: Readonly<Record<Purpose, number>> = { reset: 3_600, confirm: 86_400 }

/** Whose address it is: only who has shown that counts. */
export async function findPersonByAddress(
  ctx: Context,
  address: string,
): Promise<AddressOfPerson | undefined> {
  return findConfirmedAddress(ctx.db, address)
}

/** Where somebody is told what is about the account itself; nowhere while that is not confirmed. */
export async function findPrimaryAddress(
  db: Executor,
  accountId: number,
): Promise<AddressOfPerson | undefined> {
  return findConfirmedPrimary(db, accountId)
}

/** Those who say that it is theirs, while nobody has shown it. */
export async function findAwaiting(
  ctx: Context,
  address: string,
): Promise<readonly AddressOfPerson[]> {
  return findUnconfirmedAddresses(ctx.db, address)
}

/** Is returned here, goes out by mail, and is kept nowhere. */
export async function newMailCode(
  ctx: Context,
  purpose: Purpose,
  { addressId, account }: AddressOfPerson,
): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  await insertMailCode(ctx.db, {
    hash: hashOf(ctx, code),
    purpose,
    email_address_id: addressId,
    password_mark: markOf(ctx, account),
    expires_at: ctx.now() + codeSeconds[purpose],
  })
  return code
}

/** Whom it was sent to, while it is good. */
export async function openMailCode(
  ctx: Context,
  purpose: Purpose,
  code: string,
): Promise<MailCode | undefined> {
  if (!/^[\w-]{43}$/.test(code)) return undefined
  return findMailCode(ctx.db, { hash: hashOf(ctx, code), purpose, now: ctx.now() })
}

/** Each works once, however many requests bring it at the same moment. */
export async function useMailCode(ctx: Context, tx: Executor, code: string): Promise<boolean> {
  return takeMailCode(tx, hashOf(ctx, code))
}

/**
 * Until the transaction ends nobody changes the account; false when somebody has, since it was
 * loaded.
 */
export async function holdForCode(ctx: Context, tx: Executor, account: Account): Promise<boolean> {
  return holdAsLoaded(tx, account, ctx.now())
}

/** Whether the password is still the one that the account had when the code was made. */
export function hasSamePassword(ctx: Context, { account, passwordMark }: MailCode): boolean {
  return markOf(ctx, account) === passwordMark
}

/** A scheduled task. */
export async function forgetExpiredMailCodes({ db, now }: Context): Promise<void> {
  await deleteExpiredMailCodes(db, now())
}

function hashOf({ secrets }: Context, code: string): string {
  return secrets.hash('mail-code', code)
}

function markOf({ secrets }: Context, { passwordHash }: Account): string {
  return secrets.hash('mail-code-password', passwordHash)
}
