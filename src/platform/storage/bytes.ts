import type { Readable } from 'node:stream'
import { UploadError } from './upload-error.ts'

export type Bytes = AsyncIterable<Uint8Array>

export const KIB = 1024
export const MIB = 1024 * KIB

/** Whoever stops reading leaves the connection open: who sends too much is told so by an answer. */
export function bytesOf(sent: Readable): AsyncIterable<Buffer> {
  return sent.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

/** Counts what passes rather than trusting a Content-Length. */
export async function* limitBytes<Chunk extends Uint8Array>(
  content: AsyncIterable<Chunk>,
  maxBytes: number,
  refusal: () => Error = () => tooLarge(maxBytes),
): AsyncGenerator<Chunk> {
  let seen = 0
  for await (const chunk of content) {
    seen += chunk.length
    if (seen > maxBytes) throw refusal()
    yield chunk
  }
}

export function tooLarge(maxBytes: number): UploadError {
  return new UploadError('too_large', `attachment exceeds limit ${maxBytes}`)
}

export interface Pace {
  readonly minBytes: number
  readonly withinMs: number
}

/** Who sends less holds a connection and a file open for nothing. */
const leastPace: Pace = { minBytes: 60 * 4096, withinMs: 60_000 }

/**
 * Looks at the clock where bytes arrive; a client that sends none at all runs into the idle limit
 * of connections.
 */
export class PaceKeeper {
  readonly #pace: Pace
  #seen = 0
  #waited = 0
  #since = performance.now()

  constructor(pace = leastPace) {
    this.#pace = pace
  }

  /** The time until the next bytes is that of the client; what we do with the last ones is not. */
  wait(): void {
    this.#since = performance.now()
  }

  /** False when too little has come for too long. */
  take(bytes: number): boolean {
    const now = performance.now()
    this.#seen += bytes
    this.#waited += now - this.#since
    this.#since = now
    if (this.#waited < this.#pace.withinMs) return true
    if (this.#seen < this.#pace.minBytes) return false
    this.#seen = 0
    this.#waited = 0
    return true
  }
}

export async function* keepPace<Chunk extends Uint8Array>(
  content: AsyncIterable<Chunk>,
  pace = leastPace,
): AsyncGenerator<Chunk> {
  const keeper = new PaceKeeper(pace)
  for await (const chunk of content) {
    if (!keeper.take(chunk.length)) throw new UploadError('too_slow', 'the upload is too slow')
    yield chunk
    keeper.wait()
  }
}

/** The first bytes, and everything from the start. */
export async function peek(
  content: Bytes,
  length: number,
): Promise<{ readonly head: Buffer; readonly all: Bytes }> {
  const chunks = content[Symbol.asyncIterator]()
  const seen: Uint8Array[] = []
  let size = 0
  let next = await chunks.next()
  while (!next.done) {
    seen.push(next.value)
    size += next.value.length
    if (size >= length) break
    next = await chunks.next()
  }
  return { head: Buffer.concat(seen, Math.min(size, length)), all: resumed(seen, chunks) }
}

/**
 * What was read already, and then the rest. Whoever stops reading lets go of where it comes from:
 * what a client still sends is thrown away then.
 */
export async function* resumed(
  seen: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* seen
    yield* { [Symbol.asyncIterator]: () => rest }
  } finally {
    await rest.return?.()
  }
}
