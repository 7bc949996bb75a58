import type { Database } from '../db/database.ts'
import type { TokenOwner } from './queries.ts'

const MAX_ENTRIES = 10_000

/**
 * Who the tokens of the last moments belong to. Any commit, by this process or another, empties it: what it
 * gives is always what the database would say.
 */
export class TokenCache {
  readonly #db: Database
  readonly #owners = new Map<string, TokenOwner>()
  #version: number | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** What is known of `token`, else what `find` finds. */
  async owner(
    token: string,
    find: () => Promise<TokenOwner | undefined>,
  ): Promise<TokenOwner | undefined> {
    const version = this.#db.dataVersion()
    if (version === undefined) return find()
    if (version !== this.#version) this.#empty(version)
    const known = this.#owners.get(token)
    if (known) return known
    const found = await find()
    // Something may have been committed while it was looked up: then it is not kept.
    if (found && version === this.#version && version === this.#db.dataVersion()) {
      if (this.#owners.size >= MAX_ENTRIES) this.#owners.clear()
      this.#owners.set(token, found)
    }
    return found
  }

  #empty(version: number): void {
    this.#owners.clear()
    this.#version = version
  }
}
