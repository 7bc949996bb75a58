import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Database } from '../../platform/db/database.ts'
import { DelayedWrite } from '../../platform/db/delayed-write.ts'
import { updateLastUse } from './queries.ts'

const WRITE_AFTER_MS = 5_000

/** All are written at once, and a statement takes only so many parameters. */
const WRITE_AFTER_TOKENS = 1_000

/**
 * When tokens were last used: kept in memory and written now and then, so that no request waits for
 * it.
 */
export class LastUse {
  readonly #db: Database
  readonly #log: Logger
  readonly #later = new DelayedWrite(WRITE_AFTER_MS, () => this.#write())
  #seen = new Map<number, number>()

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
  }

  note(tokenId: number, now: number): void {
    this.#seen.set(tokenId, now)
    if (this.#seen.size >= WRITE_AFTER_TOKENS) void this.flush()
    else this.#later.plan()
  }

  /**
   * For whoever is about to show when tokens were used: waits until what is known here is written.
   */
  async flush(): Promise<void> {
    await this.#later.flush()
  }

  /** What could not be written is forgotten. */
  async #write(): Promise<void> {
    const seen = this.#seen
    if (seen.size === 0) return
    this.#seen = new Map()
    try {
      await updateLastUse(this.#db, seen)
    } catch (error) {
      this.#log.warn(error, 'last use of tokens not written')
    }
  }
}
