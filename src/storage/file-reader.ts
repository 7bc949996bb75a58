import { close, read } from 'node:fs'
import { Readable } from 'node:stream'
import type { ByteRange } from './file-storage.ts'
import { notePassing } from './spent-buffers.ts'

const CHUNK_BYTES = 256 * 1024

/** The bytes of an open file, which it closes at the end. */
export class FileReader extends Readable {
  readonly #file: number
  readonly #end: number
  #at: number
  #isReading = false
  #onceRead: (() => void) | undefined

  constructor(file: number, { from, to }: ByteRange = { from: 0, to: Infinity }) {
    super({ highWaterMark: CHUNK_BYTES })
    this.#file = file
    this.#at = from
    this.#end = to + 1
  }

  override _read(): void {
    const length = Math.min(CHUNK_BYTES, this.#end - this.#at)
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
    const end = () => close(this.#file, (failure) => done(error ?? failure))
    // Once it is closed, its number may be another file's: whatever is being read comes to its end first.
    if (this.#isReading) this.#onceRead = end
    else end()
  }

  #give(bytes: Buffer): void {
    this.#at += bytes.length
    notePassing(bytes.length)
    this.push(bytes.length === 0 ? null : bytes)
  }
}
