import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Database } from '../../platform/db/database.ts'
import { DelayedWrite } from '../../platform/db/delayed-write.ts'
import { addDownloads } from './queries.ts'

const WRITE_AFTER_MS = 1_000

/**
 * Downloads, counted in memory and written soon after, so that none waits for it and none fails by
 * it.
 */
export class DownloadCounts {
  readonly #db: Database
  readonly #log: Logger
  readonly #later = new DelayedWrite(WRITE_AFTER_MS, () => this.#write())
  #counted = new Map<number, number>()

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
  }

  note(attachmentId: number): void {
    this.#count(attachmentId, 1)
    this.#later.plan()
  }

  /** For whoever is about to show counts: waits until those known here are written. */
  async flush(): Promise<void> {
    await this.#later.flush()
  }

  /** What could not be written is counted on. */
  async #write(): Promise<void> {
    const counted = this.#counted
    if (counted.size === 0) return
    this.#counted = new Map()
    try {
      await addDownloads(this.#db, counted)
    } catch (error) {
      this.#log.warn(error, 'downloads not counted yet')
      for (const [id, count] of counted) this.#count(id, count)
    }
  }

  #count(id: number, more: number): void {
    this.#counted.set(id, (this.#counted.get(id) ?? 0) + more)
  }
}
