import type { Bytes } from '../attachments/bytes.ts'
import type { Context } from '../context.ts'
import { readSmallBlobs } from '../git/small-blobs.ts'
import { MAX_POINTER_BYTES, parsePointer, sizeOf, type Pointer } from './object.ts'
import { findObjects } from './queries.ts'
import { askForObjects, openLink, type LfsRemote, type Offer } from './remote.ts'

export interface FetchOptions {
  readonly signal: AbortSignal
  /** For everything together. */
  readonly timeLimitMs: number
  /** Of what is fetched; zero for any size. */
  readonly maxBytes: number
  /** Takes the bytes of one object, or throws when they are not what its name says. */
  readonly keep: (pointer: Pointer, content: Bytes) => Promise<void>
}

export interface Fetched {
  readonly wanted: number
  /** Names of objects that the remote says it does not have. */
  readonly missing: readonly string[]
  /** The first that went wrong otherwise, in words, and how many did. */
  readonly failed: number
  readonly reason: string
}

const PER_BATCH = 100
const AT_ONCE = 4
const gone: readonly number[] = [404, 410]

/** What the history of a repository points at, each once. */
export async function listPointers(
  ctx: Context,
  folder: string,
  { signal, timeLimitMs }: Pick<FetchOptions, 'signal' | 'timeLimitMs'>,
): Promise<readonly Pointer[]> {
  const found = new Map<string, Pointer>()
  const options = { maxBytes: MAX_POINTER_BYTES, timeLimitMs, signal }
  for await (const content of readSmallBlobs(ctx.git, folder, options)) {
    const pointer = parsePointer(content)
    if (pointer) found.set(pointer.oid, pointer)
  }
  signal.throwIfAborted()
  return [...found.values()]
}

/** Those that the repository does not have. */
export async function withoutPresent(
  ctx: Context,
  repositoryId: number,
  pointers: readonly Pointer[],
): Promise<readonly Pointer[]> {
  const absent: Pointer[] = []
  for (const some of inBatches(pointers)) {
    const oids = some.map(({ oid }) => oid)
    const here = await findObjects(ctx.db, repositoryId, oids)
    absent.push(...some.filter(({ oid }) => !here.has(oid)))
  }
  return absent
}

/** Fetches objects from another server, as many as it gives; what fails holds nothing else back. */
export async function fetchObjects(
  ctx: Context,
  remote: LfsRemote,
  pointers: readonly Pointer[],
  options: FetchOptions,
): Promise<Fetched> {
  const { maxBytes, timeLimitMs } = options
  if (maxBytes > 0 && sizeOf(pointers) > maxBytes) throw new Error('the LFS objects are too large')
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeLimitMs)])
  const missing: string[] = []
  const reasons: string[] = []
  for (const some of inBatches(pointers)) {
    const offers = await askForObjects(ctx, remote, some, signal)
    await atOnce(some, async (pointer) => {
      const offer = offers.get(pointer.oid)
      if (offer?.error && gone.includes(offer.error.code)) return void missing.push(pointer.oid)
      const reason = await tryOne(ctx, remote, pointer, offer, { ...options, signal })
      if (reason !== undefined) reasons.push(reason)
    })
  }
  const [reason = ''] = reasons
  return { wanted: pointers.length, missing, failed: reasons.length, reason }
}

/** Why it was not fetched. Who ends everything ends this too. */
async function tryOne(
  ctx: Context,
  remote: LfsRemote,
  pointer: Pointer,
  offer: Offer | undefined,
  { keep, signal, timeLimitMs }: FetchOptions,
): Promise<string | undefined> {
  signal.throwIfAborted()
  try {
    const link = offer?.actions?.download
    if (!link) return `${pointer.oid}: the remote answered ${offer?.error?.code ?? 'nothing'}`
    const response = await openLink(ctx, remote, link, { signal, timeLimitMs })
    await keep(pointer, response as Bytes).finally(() => response.destroy())
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    return `${pointer.oid}: ${(error as Error).message}`
  }
}

function* inBatches(pointers: readonly Pointer[]): Generator<readonly Pointer[]> {
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
