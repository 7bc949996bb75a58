import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Database } from '../db/database.ts'
import { addDownloads } from './queries.ts'

const WRITE_AFTER_MS = 1_000

/** Downloads, counted in memory and written soon after, so that none waits for it and none fails by it. */
export class DownloadCounts {
  readonly #db: Database
  readonly #log: Logger
  #counted = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
  }

  note(attachmentId: number): void {
    this.#counted.set(attachmentId, (this.#counted.get(attachmentId) ?? 0) + 1)
    this.#timer ??= setTimeout(() => {
      void this.settle()
    }, WRITE_AFTER_MS).unref()
  }

  /** For whoever is about to show counts: waits until those known here are written. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#counted.size > 0) this.#writing = this.#writing.then(() => this.#write())
    await this.#writing
  }

  /** What could not be written is counted on. */
  async #write(): Promise<void> {
    const counted = this.#counted
    this.#counted = new Map()
    try {
      await addDownloads(this.#db, counted)
    } catch (error) {
      this.#log.warn(error, 'downloads not counted yet')
      for (const [id, count] of counted) {
        this.#counted.set(id, (this.#counted.get(id) ?? 0) + count)
      }
    }
  }
}
