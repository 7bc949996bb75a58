import { randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Account } from '../users/account.ts'
import {
  countRecoveryCodes,
  deleteUnneededCodes,
  replaceRecoveryCodes,
  takeRecoveryCode,
} from './queries.ts'
import { tellingTransaction, tellOwner, type Trace } from './security-news.ts'

const COUNT = 10
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/**
 * Each stands once for a one-time code. They are returned here and kept nowhere; those from before
 * end.
 */
async function newRecoveryCodes(
  ctx: Context,
  tx: Executor,
  account: Account,
): Promise<readonly string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  const hashes = codes.map((code) => hashOf(ctx, account, code))
  await replaceRecoveryCodes(tx, account.id, hashes)
  return codes
}

/** For somebody who asks for new codes; those from before end. */
export async function renewRecoveryCodes(
  ctx: Context,
  account: Account,
  trace: Trace,
): Promise<readonly string[]> {
  return tellingTransaction(ctx, async (tx) => {
    await tellOwner(ctx, tx, account, { what: 'recovery_codes_renewed' }, trace)
    return newRecoveryCodes(ctx, tx, account)
  })
}

/** Of somebody who has just got a second factor: none where there are some from an earlier one. */
export async function recoveryCodesForFirst(
  ctx: Context,
  tx: Executor,
  account: Account,
): Promise<readonly string[]> {
  const left = await countRecoveryCodes(tx, account.id)
  return left > 0 ? [] : newRecoveryCodes(ctx, tx, account)
}

/** They go with the last second factor. */
export async function forgetUnneededCodes(tx: Executor, account: Account): Promise<void> {
  await deleteUnneededCodes(tx, account.id)
}

/** Told apart from a one-time code by its looks. */
export function isRecoveryCode(code: string): boolean {
  return /^[a-z0-9]{5}-?[a-z0-9]{5}$/i.test(code.trim())
}

/** Each works once, however many requests bring it at the same moment. */
export async function useRecoveryCode(
  ctx: Context,
  account: Account,
  code: string,
): Promise<boolean> {
  return takeRecoveryCode(ctx.db, account.id, hashOf(ctx, account, code))
}

export async function recoveryCodesLeft(ctx: Context, account: Account): Promise<number> {
  return countRecoveryCodes(ctx.db, account.id)
}

/** Fifty random bits, in two parts that are easy to read out. */
function newCode(): string {
  const letters = [...randomBytes(10)].map((byte) => alphabet[byte & 31]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

function hashOf({ secrets }: Context, { id }: Account, code: string): string {
  const letters = code.trim().toLowerCase().replace('-', '')
  return secrets.hash('recovery-code', `${id} ${letters}`)
}
