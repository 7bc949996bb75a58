import { ReaderGone } from './objects.ts'
import type { Git } from './run.ts'
import { gitOutput } from './stream.ts'

/** Some gigabytes take a while. */
export const COPYING_LIMIT_MS = 600_000

/**
 * What several blobs of a repository hold, one after the other, without holding any of them whole.
 */
export class BlobStream {
  readonly #output: AsyncGenerator<Buffer>
  #pending: Buffer = Buffer.alloc(0)

  constructor(git: Git, folder: string, ids: readonly string[]) {
    const input = ids.map((id) => `${id}\n`).join('')
    const options = { input, timeLimitMs: COPYING_LIMIT_MS }
    this.#output = gitOutput(git, folder, ['cat-file', '--batch', '--buffer'], options)
  }

  /** The next one. It is read to its end before another. */
  async *next(): AsyncGenerator<Buffer> {
    let left = await this.#header()
    while (left > 0) {
      if (this.#pending.length === 0) await this.#more()
      const piece = this.#pending.subarray(0, left)
      this.#pending = this.#pending.subarray(piece.length)
      left -= piece.length
      yield piece
    }
    if (this.#pending.length === 0) await this.#more()
    this.#pending = this.#pending.subarray(1)
  }

  async whole(): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.next()) pieces.push(piece)
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
  }

  async close(): Promise<void> {
    await this.#output.return(undefined)
  }

  async #header(): Promise<number> {
    let end = this.#pending.indexOf(10)
    while (end === -1) {
      await this.#more()
      end = this.#pending.indexOf(10)
    }
    const [, type, size] = this.#pending.toString('latin1', 0, end).split(' ')
    this.#pending = this.#pending.subarray(end + 1)
    if (type !== 'blob') throw new Error('an object of the tree is missing')
    return Number(size)
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#output.next()
    if (done) throw new ReaderGone()
    this.#pending = this.#pending.length === 0 ? value : Buffer.concat([this.#pending, value])
  }
}
