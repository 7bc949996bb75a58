import type { Database } from './db/database.ts'
import { findIdentity } from './db/identity.ts'

const LOOK_EVERY_MS = 5_000

/**
 * Whether the database is a copy that a backup made. A server on one answers, and does nothing by
 * itself that anybody elsewhere would notice: the original may still live. `restored --go-live`
 * ends that, also while the server runs.
 */
export class Quiet {
  readonly #db: Database
  #copiedAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(db: Database) {
    this.#db = db
  }

  get isQuiet(): boolean {
    return this.#copiedAt > 0
  }

  /** When the copy was made. */
  get copiedAt(): number {
    return this.#copiedAt
  }

  async look(): Promise<void> {
    this.#copiedAt = (await findIdentity(this.#db))?.copiedAt ?? 0
  }

  /** A copy may go live at any time; what lives becomes no copy. */
  start(): void {
    if (!this.isQuiet) return
    this.#timer = setInterval(() => {
      this.look().then(
        () => this.isQuiet || this.stop(),
        () => undefined,
      )
    }, LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
