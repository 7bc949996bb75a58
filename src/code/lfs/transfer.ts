import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { partsOf } from '../../platform/db/parts.ts'
import type { Operation } from './batch.ts'
import { complaintOf } from './complaint.ts'
import { sizeOf, type Pointer } from './object.ts'
import type { Offer } from './offer.ts'
import { askAboutObjects, type LfsRemote } from './remote.ts'

export interface TransferOptions {
  readonly signal: AbortSignal
  /** For everything together. */
  readonly timeLimitMs: number
  /** Of all of them; zero for any size. */
  readonly maxBytes: number
}

export interface Transferred {
  readonly operation: Operation
  readonly wanted: number
  /** Names of objects that the remote says it does not have. */
  readonly missing: readonly string[]
  /** How many went wrong otherwise, and the first of them in words. */
  readonly failed: number
  readonly reason: string
}

const PER_BATCH = 100
const AT_ONCE = 4
const gone: readonly number[] = [404, 410]

export interface Transfer extends TransferOptions {
  readonly operation: Operation
  readonly one: (pointer: Pointer, offer: Offer, signal: AbortSignal) => Promise<void>
}

/**
 * Objects from another server, or to it: as many as it lets us. What fails holds nothing else back.
 */
export async function transferObjects(
  ctx: Context,
  remote: LfsRemote,
  pointers: readonly Pointer[],
  transfer: Transfer,
): Promise<Transferred> {
  const { operation, maxBytes } = transfer
  const missing: string[] = []
  const reasons: string[] = []
  try {
    if (maxBytes > 0 && sizeOf(pointers) > maxBytes) throw new Error('the objects are too large')
    await transferAll(ctx, remote, pointers, transfer, { missing, reasons })
  } catch (error) {
    transfer.signal.throwIfAborted()
    if (error instanceof AppError) throw error
    throw new Error(`LFS: ${complaintOf(error)}`, { cause: error })
  }
  const [reason = ''] = reasons
  return { operation, wanted: pointers.length, missing, failed: reasons.length, reason }
}

async function transferAll(
  ctx: Context,
  remote: LfsRemote,
  pointers: readonly Pointer[],
  { operation, timeLimitMs, one, ...options }: Transfer,
  { missing, reasons }: { readonly missing: string[]; readonly reasons: string[] },
): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeLimitMs)])
  for (const some of inBatches(pointers)) {
    const offers = await askAboutObjects(ctx, remote, operation, some, signal)
    await atOnce(some, async (pointer) => {
      signal.throwIfAborted()
      const { oid } = pointer
      const offer = offers.get(oid)
      if (operation === 'download' && isGone(offer)) return void missing.push(oid)
      const reason = await reasonAgainst(offer, (good) => one(pointer, good, signal))
      signal.throwIfAborted()
      if (reason !== undefined) reasons.push(`${oid}: ${reason}`)
    })
  }
}

function isGone(offer: Offer | undefined): boolean {
  return offer?.error !== undefined && gone.includes(offer.error)
}

/** Nothing when it went well. */
async function reasonAgainst(
  offer: Offer | undefined,
  work: (offer: Offer) => Promise<void>,
): Promise<string | undefined> {
  if (!offer) return 'the remote says nothing of it'
  if (offer.error !== undefined) return `the remote answered ${offer.error}`
  return work(offer).then(
    () => undefined,
    (error: unknown) => complaintOf(error),
  )
}

export function inBatches(pointers: readonly Pointer[]): Iterable<readonly Pointer[]> {
  return partsOf(pointers, PER_BATCH)
}

async function atOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
