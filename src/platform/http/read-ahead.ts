import type { IncomingMessage } from 'node:http'
import { finished, Readable } from 'node:stream'

const USUAL_BYTES = 1024 * 1024
/** What nobody took in this time is not taken soon. */
const STALLED_MS = 1_000
/** Of all bodies together that nobody takes. */
const STALLED_BYTES = 64 * 1024 * 1024
/** Of one of them: more than connections hold that a client has left behind. */
const MOST_STALLED_BYTES = 16 * 1024 * 1024

let stalled = 0

/**
 * A body that is read whether somebody takes it or not, up to a limit: of a connection from which
 * nothing is read, no end is heard.
 */
export class ReadAhead extends Readable {
  readonly #request: IncomingMessage
  #timer: NodeJS.Timeout | undefined
  #limit = USUAL_BYTES
  #isStalled = false

  constructor(request: IncomingMessage) {
    super({ highWaterMark: USUAL_BYTES })
    this.#request = request
    request.on('data', (chunk: Buffer) => this.#take(chunk))
    finished(request, { writable: false }, (error) => {
      if (error) this.destroy(error)
      else this.push(null)
    })
  }

  #take(chunk: Buffer): void {
    if (this.push(chunk) || this.readableLength < this.#limit) return
    this.#request.pause()
    if (!this.#isStalled) this.#timer ??= setTimeout(() => this.#stall(), STALLED_MS).unref()
  }

  #stall(): void {
    this.#isStalled = true
    this.#limit = Math.min(Math.floor(STALLED_BYTES / ++stalled), MOST_STALLED_BYTES)
    this.#request.resume()
  }

  #goOn(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isStalled) stalled--
    this.#isStalled = false
    this.#limit = USUAL_BYTES
  }

  override _read(): void {
    this.#goOn()
    this.#request.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#goOn()
    done(error)
  }
}
