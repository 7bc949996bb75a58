import { close, read } from 'node:fs'
import { Readable } from 'node:stream'
import type { ByteRange } from './file-storage.ts'
import { notePassing } from './spent-buffers.ts'

const CHUNK_BYTES = 256 * 1024
const LEAST_CHUNK_BYTES = 32 * 1024
/** What all open files together read ahead. */
const AHEAD_BYTES = 32 * 1024 * 1024

let open = 0

/** The more are open, the less each of them holds. */
function chunkBytes(): number {
  return Math.max(LEAST_CHUNK_BYTES, Math.min(CHUNK_BYTES, Math.floor(AHEAD_BYTES / open)))
}

/** The bytes of an open file, which it closes at the end. */
export class FileReader extends Readable {
  readonly #file: number
  readonly #end: number
  #at: number
  #isReading = false
  #onceRead: (() => void) | undefined

  constructor(file: number, { from, to }: ByteRange = { from: 0, to: Infinity }) {
    open++
    super({ highWaterMark: chunkBytes() })
    this.#file = file
    this.#at = from
    this.#end = to + 1
  }

  override _read(): void {
    const length = Math.min(chunkBytes(), this.#end - this.#at)
    if (length <= 0) return void this.push(null)
    const buffer = Buffer.allocUnsafeSlow(length)
    this.#isReading = true
    read(this.#file, buffer, 0, length, this.#at, (error, count) => {
      this.#isReading = false
      if (this.#onceRead) this.#onceRead()
      else if (error) this.destroy(error)
      else this.#give(buffer.subarray(0, count))
    })
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    open--
    const end = () => close(this.#file, (failure) => done(error ?? failure))
    // Once it is closed, its number may be another file's: whatever is being read comes to its end
    // first.
    if (this.#isReading) this.#onceRead = end
    else end()
  }

  #give(bytes: Buffer): void {
    this.#at += bytes.length
    notePassing(bytes.length)
    this.push(bytes.length === 0 ? null : bytes)
  }
}
