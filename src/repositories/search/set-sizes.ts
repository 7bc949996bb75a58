import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { onePlan } from '../../platform/db/planned-once.ts'
import type { IdSet } from './sets.ts'

/**
 * Up to so many, fetching them one by one and sorting beats walking through an index of all
 * repositories in order.
 */
const FEW = 3_000
const KEPT_MS = 60_000
const MAX_KEPT = 4_000

interface Guess {
  readonly isSmall: boolean
  readonly until: number
}

/**
 * Which sets of repositories are small. That decides only how a search goes about its work, and not
 * what it finds: what was true a minute ago will do, and whoever turns the pages of a search is not
 * counted for anew.
 */
export class SetSizes {
  readonly #db: Database
  readonly #guesses = new Map<string, Guess>()

  constructor(db: Database) {
    this.#db = db
  }

  async isSmall(sets: readonly IdSet[]): Promise<boolean> {
    const counting = upToFew(sets).compile(this.#db)
    // Hashed: thousands of long statements are not worth their memory.
    const key = hash('sha256', JSON.stringify([counting.sql, counting.parameters]))
    const known = this.#guesses.get(key)
    if (known && known.until > performance.now()) return known.isSmall
    const { rows } = await this.#db.executeQuery(counting)
    const isSmall = (rows[0]?.found ?? 0) <= FEW
    this.#keep(key, { isSmall, until: performance.now() + KEPT_MS })
    return isSmall
  }

  #keep(key: string, guess: Guess): void {
    // The one that was found longest ago makes room.
    this.#guesses.delete(key)
    const [oldest] = this.#guesses.keys()
    if (oldest !== undefined && this.#guesses.size >= MAX_KEPT) this.#guesses.delete(oldest)
    this.#guesses.set(key, guess)
  }
}

function upToFew(sets: readonly IdSet[]) {
  return sql<{ found: number }>`
    SELECT count(*) AS found FROM (
      SELECT 1 FROM (${sql.join(sets, sql` UNION ALL `)}) AS every_id LIMIT ${sql.lit(FEW + 1)}
    ) AS some_ids ${onePlan}`
}
