import { createHash } from 'node:crypto'
import type { ObjectFormat } from '../db/columns.ts'
import { resumed } from '../storage/bytes.ts'

/** More than a commit or two of somebody's work. */
export const LARGE_PACK_BYTES = 1024 * 1024

export interface Measured {
  readonly isLarge: boolean
  /** The push from its beginning. */
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * Whether the pack in a push is large, where the connection stays open behind it: it is read until
 * it is, or ends. What stops before, a pack that is broken or a slow line, is left to git to wait
 * for.
 */
export async function measurePack(
  push: AsyncIterable<Uint8Array>,
  format: ObjectFormat,
  patienceMs = 1000,
): Promise<Measured> {
  const source = push[Symbol.asyncIterator]()
  const kept: Uint8Array[] = []
  const watch = new PackWatch(format)
  let seen = 0
  while (seen <= LARGE_PACK_BYTES && !watch.isOver) {
    const next = source.next()
    const read = await within(patienceMs, next)
    if (!read) return { isLarge: false, body: resumed(kept, from(next, source)) }
    if (read.done) break
    kept.push(read.value)
    seen += read.value.length
    watch.take(read.value)
  }
  return { isLarge: seen > LARGE_PACK_BYTES, body: resumed(kept, source) }
}

/** Without a value when it takes longer; how it ends then is for others to hear. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  work.catch(() => undefined)
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

async function* from<T>(
  first: Promise<IteratorResult<T>>,
  source: AsyncIterator<T>,
): AsyncGenerator<T> {
  try {
    for (let next = await first; !next.done; next = await source.next()) yield next.value
  } finally {
    await source.return?.()
  }
}

const SIGNATURE = Buffer.from('PACK\0\0\0\x02', 'latin1')

/** Sees a pack go by, up to its end: its last bytes are the hash of all others. */
class PackWatch {
  readonly #hash
  readonly #hashLength: number
  #hasBegun = false
  /** What may be the hash, or the first half of the signature. */
  #tail = Buffer.alloc(0)

  constructor(format: ObjectFormat) {
    this.#hash = createHash(format)
    this.#hashLength = format === 'sha1' ? 20 : 32
  }

  get isOver(): boolean {
    return this.#hasBegun && this.#hash.copy().digest().equals(this.#tail)
  }

  take(chunk: Uint8Array): void {
    const bytes = Buffer.concat([this.#tail, chunk])
    const start = this.#hasBegun ? 0 : bytes.indexOf(SIGNATURE)
    this.#hasBegun = start !== -1
    const end = bytes.length - (this.#hasBegun ? this.#hashLength : SIGNATURE.length - 1)
    if (this.#hasBegun) this.#hash.update(bytes.subarray(start, Math.max(start, end)))
    this.#tail = bytes.subarray(Math.max(start, end, 0))
  }
}
