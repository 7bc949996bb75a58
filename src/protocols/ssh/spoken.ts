import type { Writable } from 'node:stream'
import type { Taking } from '../../platform/git/give-way-to-others.ts'

/** A larger piece would leave at once, and not be seen leaving. */
const PIECE_BYTES = 16 * 1024

/** What goes both ways on one channel, counted, so that it can give way to others. */
export class Spoken implements Taking {
  readonly #output: Writable
  readonly #ended = new AbortController()
  #said = 0
  #heard = 0
  #seen = ''
  #isClientsTurn = false

  constructor(output: Writable) {
    this.#output = output
  }

  /** Is aborted when the answer gives way. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  async *heard(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of input) {
      this.#heard += piece.length
      this.#isClientsTurn = false
      yield piece
    }
  }

  async *said(answer: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of answer) {
      for (let from = 0; from < piece.length; from += PIECE_BYTES) {
        const part = piece.subarray(from, from + PIECE_BYTES)
        this.#said += part.length
        this.#isClientsTurn = true
        yield part
      }
    }
  }

  delivered(): number {
    return this.#said - this.#output.writableLength
  }

  isHeldUp(): boolean {
    return this.#output.writableLength > 0
  }

  /**
   * Git has said something, and nobody has answered since the last look. While git works it says
   * so every five seconds.
   */
  isAwaited(): boolean {
    const now = `${this.#said} ${this.#heard}`
    const isSilent = now === this.#seen
    this.#seen = now
    return isSilent && this.#isClientsTurn
  }

  end(): void {
    this.#ended.abort()
  }
}
