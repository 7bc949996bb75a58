import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { DatabaseGone } from '../db/unavailable.ts'
import { AppError, invalid } from '../errors.ts'
import {
  deleteExpiredKey,
  deleteExpiredKeys,
  deleteKey,
  findKey,
  insertKey,
  updateKey,
} from './idempotency-queries.ts'

/** A call that its sender wants done once, however often it arrives. */
export interface KeyedCall {
  readonly accountId: number
  /** The sender's own name for it. */
  readonly key: string
  /** All that is asked for: another request must not come under the same key. */
  readonly request: string
}

export interface Done {
  readonly status: number
  /** JSON. */
  readonly answer: string
}

const KEPT_SECONDS = 24 * 3600
/** After that, whoever began it is taken to have crashed. */
const LEASE_SECONDS = 600
const MAX_KEY_LENGTH = 255

/** In place of a status: it is being done, or nobody knows whether it was. */
const BEGUN = 0
const UNKNOWN = 1

/** Nothing when the call is ours to do; its answer when it has been done. */
export async function claim(ctx: Context, call: KeyedCall): Promise<Done | undefined> {
  const { accountId, key } = call
  if (key.length > MAX_KEY_LENGTH) throw invalid('Idempotency-Key is too long')
  const request = hash('sha256', call.request)
  const now = ctx.now()
  const row = { account_id: accountId, key, request, expires_at: now + KEPT_SECONDS }
  if (await insertKey(ctx.db, row)) return undefined
  const known = await findKey(ctx.db, accountId, key)
  if (!known || known.expires_at < now) {
    await deleteExpiredKey(ctx.db, accountId, key, now)
    return claim(ctx, call)
  }
  if (known.request !== request) throw invalid('Idempotency-Key was used for another request')
  if (known.status !== BEGUN && known.status !== UNKNOWN) return known
  const begunAt = known.expires_at - KEPT_SECONDS
  throw known.status === BEGUN && now <= begunAt + LEASE_SECONDS ? underWay() : undecided()
}

/** From now on the same call gets this answer. */
export async function complete(
  ctx: Context,
  { accountId, key }: KeyedCall,
  done: Done,
): Promise<void> {
  await updateKey(ctx.db, accountId, key, { ...done, expires_at: ctx.now() + KEPT_SECONDS })
}

/**
 * What was refused may be tried again; what broke may have been done nevertheless, and is not done
 * twice. Where the database was lost, that may have been after the work was committed.
 */
export async function giveUp(
  ctx: Context,
  { accountId, key }: KeyedCall,
  error: unknown,
): Promise<void> {
  if (error instanceof AppError && !(error instanceof DatabaseGone))
    return deleteKey(ctx.db, accountId, key)
  const expires_at = ctx.now() + KEPT_SECONDS
  await updateKey(ctx.db, accountId, key, { status: UNKNOWN, answer: '', expires_at })
}

function underWay(): AppError {
  return new AppError('conflict', 'a request with this Idempotency-Key is being done', {
    retryAfter: 1,
  })
}

function undecided(): AppError {
  return new AppError(
    'conflict',
    'whether the request with this Idempotency-Key was done is not known: look for what it creates, and use a new key to do it again',
  )
}

/** A scheduled task. */
export async function forgetKeys(ctx: Context): Promise<void> {
  await deleteExpiredKeys(ctx.db, ctx.now())
}
