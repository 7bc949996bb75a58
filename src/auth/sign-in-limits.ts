import { isIPv6 } from 'node:net'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import {
  countFailure,
  deleteOldAddresses,
  deleteOldFailures,
  findFailures,
  isKnownAddress,
  noteKnownAddress,
} from './queries.ts'

const KNOWN_FOR_SECONDS = 90 * 86_400

/**
 * Refuses before a password is hashed, once an address or an account has seen too many wrong ones. Where an
 * account has signed in from before, strangers cannot lock it out.
 */
export async function assertMayTry(
  ctx: Context,
  address: string,
  account: string,
  accountId: number,
): Promise<void> {
  const { security } = ctx.config
  const subjects = subjectsOf(ctx, address, account)
  const rows = await findFailures(ctx.db, Object.values(subjects))
  const now = ctx.now()
  const waitFor = (subject: string, allowed: number, window: number) => {
    const row = rows.find((one) => one.subject === subject)
    if (!row || row.failures < allowed) return 0
    return Math.max(0, row.window_start + window - now)
  }
  const forAddress = waitFor(
    subjects.address,
    security.failures_per_address,
    security.address_window,
  )
  if (forAddress > 0) throw tooMany(forAddress)
  const forAccount = waitFor(
    subjects.account,
    security.failures_per_account,
    security.account_window,
  )
  if (forAccount > 0 && !(await isKnownAddress(ctx.db, accountId, subjects.address))) {
    throw tooMany(forAccount)
  }
}

export async function noteFailure(ctx: Context, address: string, account: string): Promise<void> {
  const { address_window, account_window } = ctx.config.security
  const subjects = subjectsOf(ctx, address, account)
  await countFailure(ctx.db, subjects.address, ctx.now(), address_window)
  await countFailure(ctx.db, subjects.account, ctx.now(), account_window)
}

export async function noteSuccess(ctx: Context, address: string, accountId: number): Promise<void> {
  await noteKnownAddress(ctx.db, accountId, subjectsOf(ctx, address, '').address, ctx.now())
}

/** A scheduled task: what no longer counts is forgotten. */
export async function forgetOldFailures(ctx: Context): Promise<void> {
  const { address_window, account_window } = ctx.config.security
  await deleteOldFailures(ctx.db, ctx.now() - Math.max(address_window, account_window))
  await deleteOldAddresses(ctx.db, ctx.now() - KNOWN_FOR_SECONDS)
}

function subjectsOf(
  ctx: Context,
  address: string,
  account: string,
): { address: string; account: string } {
  return {
    address: ctx.secrets.hash('sign-in', `address ${networkOf(address)}`),
    account: ctx.secrets.hash('sign-in', `account ${account.toLowerCase()}`),
  }
}

/** Somebody with one IPv6 address has a whole /64 of them. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':')
  const missing = tail === undefined ? 0 : 8 - left.length - tail.split(':').length
  const groups = [
    ...left,
    ...Array<string>(Math.max(0, missing)).fill('0'),
    ...(tail?.split(':') ?? []),
  ]
  return groups.slice(0, 4).join(':')
}

function tooMany(seconds: number): AppError {
  return new AppError('too_many_requests', 'too many requests', { retryAfter: seconds })
}
