import { Readable } from 'node:stream'

/** In one turn of the event loop: all others are heard between two of them. */
const TURN_BYTES = 1024 * 1024

interface Waiting {
  readonly bytes: number
  readonly send: () => void
}

/** Who waits to send the next piece of a stored file, by client. */
class Senders {
  readonly #waiting = new Map<string, Waiting[]>()
  #isPlanned = false

  async wait(client: string, bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = { bytes, send: resolve }
    const others = this.#waiting.get(client)
    if (others) others.push(waiting)
    else this.#waiting.set(client, [waiting])
    this.#plan()
    return promise
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.size === 0) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      let left = TURN_BYTES
      while (left > 0 && this.#waiting.size > 0) left -= this.#letOne()
      this.#plan()
    })
  }

  /** One client after the other, however much each of them wants. */
  #letOne(): number {
    for (const [client, waiting] of this.#waiting) {
      const first = waiting.shift()
      this.#waiting.delete(client)
      if (waiting.length > 0) this.#waiting.set(client, waiting)
      first?.send()
      return first?.bytes ?? 0
    }
    return 0
  }
}

const senders = new Senders()

/** The pieces of a stored file, of which few are sent at a time for all who want such files. */
export function sentInTurn(content: Readable, client: string): Readable {
  const stream = Readable.from(pieces(content, client), { objectMode: false })
  // What nobody begins to read does not end by itself.
  stream.once('close', () => content.destroy())
  return stream
}

async function* pieces(content: Readable, client: string): AsyncGenerator<Buffer> {
  for await (const piece of content as AsyncIterable<Buffer>) {
    await senders.wait(client, piece.length)
    yield piece
  }
}
