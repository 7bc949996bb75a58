import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Database } from '../../platform/db/database.ts'
import { DelayedWrite } from '../../platform/db/delayed-write.ts'
import { indexSomeTexts } from './queries.ts'

const WRITE_AFTER_MS = 1_000

/** Until there are none, or somebody else says that it is enough. */
export async function indexLateTexts(
  db: Database,
  isEnough: () => boolean = () => false,
): Promise<void> {
  if (db.dialect !== 'sqlite') return
  while ((await indexSomeTexts(db)) && !isEnough());
}

/**
 * Names and descriptions come into the text index of SQLite a moment after their repository was
 * written, those of many in one commit. No search waits for it: what is late is looked at itself.
 */
export class TextIndex {
  readonly #db: Database
  readonly #log: Logger
  readonly #later = new DelayedWrite(WRITE_AFTER_MS, () => this.#write())
  #isStopping = false

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
    db.onWritten('repository_text_late', () => {
      if (!this.#isStopping) this.#later.plan()
    })
  }

  /** What others have left: commands, or a server that was killed. */
  start(): void {
    this.#later.plan()
  }

  /** Waits until the index knows what has been committed by now. */
  async flush(): Promise<void> {
    await this.#later.flush()
  }

  /** What is more than one commit takes is left to the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.flush()
  }

  /** What could not be written is tried again with the next change. */
  async #write(): Promise<void> {
    try {
      await indexLateTexts(this.#db, () => this.#isStopping)
    } catch (error) {
      this.#log.warn(error, 'names and descriptions are not indexed yet')
    }
  }
}
