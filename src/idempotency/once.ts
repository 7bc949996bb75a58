import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { AppError, invalid } from '../errors.ts'
import {
  deleteExpiredKey,
  deleteExpiredKeys,
  deleteKey,
  findKey,
  insertKey,
  updateKey,
} from './queries.ts'

/** A call that its sender wants done once, however often it arrives. */
export interface KeyedCall {
  readonly accountId: number
  /** The sender's own name for it. */
  readonly key: string
  /** What is asked for, without the body: another request must not come under the same key. */
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

/** Does `work` unless it has been done: then its answer is given again. What fails may be tried again. */
export async function once(
  ctx: Context,
  call: KeyedCall,
  work: () => Promise<Done>,
): Promise<Done & { readonly isRepeated: boolean }> {
  const { accountId, key } = call
  if (key.length > MAX_KEY_LENGTH) throw invalid('Idempotency-Key is too long')
  const known = await claim(ctx, call)
  if (known) return { ...known, isRepeated: true }
  try {
    const done = await work()
    await updateKey(ctx.db, accountId, key, { ...done, expires_at: ctx.now() + KEPT_SECONDS })
    return { ...done, isRepeated: false }
  } catch (error) {
    await deleteKey(ctx.db, accountId, key)
    throw error
  }
}

/** Nothing when the key is ours now; the answer when it is there. */
async function claim(ctx: Context, call: KeyedCall): Promise<Done | undefined> {
  const { accountId, key } = call
  const request = hash('sha256', call.request)
  const now = ctx.now()
  const row = { account_id: accountId, key, request, expires_at: now + LEASE_SECONDS }
  if (await insertKey(ctx.db, row)) return undefined
  const known = await findKey(ctx.db, accountId, key)
  if (!known || known.expires_at < now) {
    await deleteExpiredKey(ctx.db, accountId, key, now)
    return claim(ctx, call)
  }
  if (known.request !== request) throw invalid('Idempotency-Key was used for another request')
  if (known.status === 0) {
    throw new AppError('conflict', 'a request with this Idempotency-Key is being done', {
      retryAfter: 1,
    })
  }
  return { status: known.status, answer: known.answer }
}

/** A scheduled task. */
export async function forgetKeys(ctx: Context): Promise<void> {
  await deleteExpiredKeys(ctx.db, ctx.now())
}
