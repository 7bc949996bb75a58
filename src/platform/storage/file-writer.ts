import { writev } from './descriptors.ts'

/** What may wait while earlier bytes are being written. */
const MAX_WAITING_BYTES = 256 * 1024

/** Writes while the next bytes are on their way, and together what has come meanwhile. */
export class FileWriter {
  readonly #file: number
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #current: Promise<void> | undefined

  constructor(file: number) {
    this.#file = file
  }

  /** Comes back when there is room for more. */
  async add(chunk: Uint8Array): Promise<void> {
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (!this.#current) this.#writeWaiting()
    else if (this.#waitingBytes >= MAX_WAITING_BYTES) await this.#current
  }

  /** Until everything is written, or something was not. */
  async end(): Promise<void> {
    while (this.#current) await this.#current
  }

  /** The first failure stays, and is told to everybody after it. */
  #writeWaiting(): void {
    const chunks = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    this.#current = writeAll(this.#file, chunks).then(() => {
      this.#current = undefined
      if (this.#waiting.length > 0) this.#writeWaiting()
    })
    this.#current.catch(() => undefined)
  }
}

async function writeAll(file: number, chunks: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await writev(file, chunks)
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  // A disk that is nearly full takes a part; what is left tells that it is.
  if (bytesWritten < length) await writeAll(file, [Buffer.concat(chunks).subarray(bytesWritten)])
}
