import type { Database } from '../../platform/db/database.ts'
import { findWindowStart, giveBackTry, takeTry } from './queries.ts'

export interface TryLimit {
  readonly allowed: number
  /** In seconds. */
  readonly window: number
}

/** One try that counts until it is given back. */
export interface Try {
  readonly subject: string
  readonly windowStart: number
}

/** Tries of one subject that this process is at, and those that wait for one of them to end. */
interface AtWork {
  count: number
  readonly waiting: (() => void)[]
}

/**
 * Tries at what has a limit. Each is counted before it is made, in the statement that decides
 * whether it is made: however many come at once, no more are. One that was right is given back.
 * Many that are right may come at once, too: where those that are at work take all there is, the
 * next waits for one of them to end, and is refused when none is left.
 */
export class Tries {
  readonly #db: Database
  readonly #now: () => number
  readonly #atWork = new Map<string, AtWork>()

  constructor(db: Database, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /** The try, or how many seconds to wait for one. */
  async take(subject: string, limit: TryLimit): Promise<Try | number> {
    for (;;) {
      const windowStart = await takeTry(this.#db, subject, this.#now(), limit)
      if (windowStart !== undefined) {
        this.#enter(subject)
        return { subject, windowStart }
      }
      const others = this.#atWork.get(subject)
      if (!others) return this.#waitFor(subject, limit)
      await new Promise<void>((resolve) => others.waiting.push(resolve))
    }
  }

  async end({ subject, windowStart }: Try, { wasRight }: { wasRight: boolean }): Promise<void> {
    try {
      if (wasRight) await giveBackTry(this.#db, subject, windowStart)
    } finally {
      this.#leave(subject)
    }
  }

  /** At least a second: the window may have ended just now. */
  async #waitFor(subject: string, { window }: TryLimit): Promise<number> {
    const windowStart = await findWindowStart(this.#db, subject)
    return Math.max((windowStart ?? 0) + window - this.#now(), 1)
  }

  #enter(subject: string): void {
    const atWork = this.#atWork.get(subject) ?? { count: 0, waiting: [] }
    atWork.count++
    this.#atWork.set(subject, atWork)
  }

  /** One of those that wait goes on, or all of them when there is nothing left to wait for. */
  #leave(subject: string): void {
    const atWork = this.#atWork.get(subject)
    if (!atWork) return
    atWork.count--
    if (atWork.count > 0) return atWork.waiting.shift()?.()
    this.#atWork.delete(subject)
    for (const resume of atWork.waiting) resume()
  }
}
