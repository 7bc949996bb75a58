import { createHash, type Hash } from 'node:crypto'
import type { StoredFile } from './file-storage.ts'
import { notePassing } from './spent-buffers.ts'

/** Counts and hashes what passes. */
export class Measure {
  readonly #hash: Hash = createHash('sha256')
  #size = 0

  async *of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.add(chunk)
      yield chunk
    }
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length
    notePassing(chunk.length)
    this.#hash.update(chunk)
  }

  /** Once everything has passed. */
  result(): StoredFile {
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }
}
