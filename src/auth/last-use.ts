import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Database } from '../db/database.ts'

const FLUSH_AFTER_MS = 5_000

/** When tokens and keys were last used: kept in memory and written now and then, so that no request waits for it. */
export class LastUse {
  readonly #db: Database
  readonly #log: Logger
  readonly #seen = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
  }

  note(tokenId: number, now: number): void {
    this.#seen.set(tokenId, now)
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) =>
        this.#log.warn(error, 'last use of tokens not written'),
      )
    }, FLUSH_AFTER_MS).unref()
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const seen = [...this.#seen]
    this.#seen.clear()
    if (seen.length === 0) return
    await this.#db.transaction().execute(async (tx) => {
      for (const [id, at] of seen) {
        await tx
          .updateTable('access_token')
          .set({ last_used_at: at })
          .where('id', '=', id)
          .where('last_used_at', '<', at)
          .execute()
      }
    })
  }
}
