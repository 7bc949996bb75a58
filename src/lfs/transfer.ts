import type { Context } from '../context.ts'
import { sizeOf, type Pointer } from './object.ts'
import type { Operation } from './batch.ts'
import { askAboutObjects, type LfsRemote, type Offer } from './remote.ts'

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

/** Objects from another server, or to it: as many as it lets us. What fails holds nothing else back. */
export async function transferObjects(
  ctx: Context,
  remote: LfsRemote,
  operation: Operation,
  pointers: readonly Pointer[],
  options: TransferOptions & {
    readonly one: (pointer: Pointer, offer: Offer, signal: AbortSignal) => Promise<void>
  },
): Promise<Transferred> {
  const { maxBytes, timeLimitMs, one } = options
  if (maxBytes > 0 && sizeOf(pointers) > maxBytes) throw new Error('the LFS objects are too large')
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeLimitMs)])
  const missing: string[] = []
  const reasons: string[] = []
  for (const some of inBatches(pointers)) {
    const offers = await askAboutObjects(ctx, remote, operation, some, signal)
    await atOnce(some, async (pointer) => {
      signal.throwIfAborted()
      const { oid } = pointer
      const offer = offers.get(oid)
      if (operation === 'download' && isGone(offer)) return void missing.push(oid)
      const reason = await complaintOf(offer, (good) => one(pointer, good, signal))
      signal.throwIfAborted()
      if (reason !== undefined) reasons.push(`${oid}: ${reason}`)
    })
  }
  const [reason = ''] = reasons
  return { operation, wanted: pointers.length, missing, failed: reasons.length, reason }
}

function isGone(offer: Offer | undefined): boolean {
  return offer?.error !== undefined && gone.includes(offer.error.code)
}

/** Nothing when it went well. */
async function complaintOf(
  offer: Offer | undefined,
  work: (offer: Offer) => Promise<void>,
): Promise<string | undefined> {
  if (!offer || offer.error) return `the remote answered ${offer?.error?.code ?? 'nothing'}`
  return work(offer).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
}

export function* inBatches(pointers: readonly Pointer[]): Generator<readonly Pointer[]> {
  for (let from = 0; from < pointers.length; from += PER_BATCH) {
    yield pointers.slice(from, from + PER_BATCH)
  }
}

async function atOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
