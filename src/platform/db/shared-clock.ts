import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Leases and limits last much longer: closer than this, clocks agree. */
const TOLERATED_MS = 2_000
/** An answer that took longer says too little about when it was given. */
const LONGEST_ANSWER_MS = 1_000
const LOOK_EVERY_MS = 30_000
const MAX_ATTEMPTS = 3

/**
 * The time, as all processes on one database have it: what one of them writes into a lease or an
 * expiry is compared by the others. PostgreSQL is asked now and then how far its clock is from
 * ours; SQLite is on this machine.
 */
export class SharedClock {
  readonly #db: Database
  readonly #localMs: () => number
  #aheadMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(db: Database, local: (() => number) | undefined) {
    this.#db = db
    this.#localMs = local ? () => local() * 1000 : localClockOf(db)
  }

  /** Whole seconds since 1970. */
  readonly now = (): number => Math.floor((this.#localMs() + this.#aheadMs) / 1000)

  async adjust(): Promise<void> {
    if (this.#db.dialect === 'sqlite') return
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) if (await this.#compare()) return
  }

  /** The first answer may take long, because it waits for the connection. */
  async #compare(): Promise<boolean> {
    const began = performance.now()
    const theirs = await readClock(this.#db)
    const tookMs = performance.now() - began
    if (tookMs > LONGEST_ANSWER_MS) return false
    const aheadMs = theirs + tookMs / 2 - this.#localMs()
    this.#aheadMs = Math.abs(aheadMs) < TOLERATED_MS ? 0 : aheadMs
    return true
  }

  /** A clock may be set, or go too fast, at any time. */
  start(): void {
    this.#timer = setInterval(() => {
      // While the database does not answer, nobody can use the time for anything.
      this.adjust().catch(() => undefined)
    }, LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/**
 * Beside a database that is asked, one that nobody sets: a jump would count until the next look.
 */
function localClockOf({ dialect }: Database): () => number {
  return dialect === 'sqlite' ? Date.now : () => performance.timeOrigin + performance.now()
}

async function readClock(db: Database): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`.execute(db)
  return Number(rows[0]?.ms)
}
