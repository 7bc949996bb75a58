import type { Database, DataVersion } from './database.ts'

const MAX_ENTRIES = 10_000

/**
 * What was read lately, by key. Any commit, by this process or another, empties it: what it gives is always what
 * the database would say.
 */
export class VersionedCache<T extends object> {
  readonly #db: Database
  readonly #entries = new Map<string, T>()
  readonly #searches = new Map<string, Promise<T | undefined>>()
  #version: DataVersion | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** What is known under `key`, else what `find` finds. */
  async get<Found extends T | undefined>(
    key: string,
    find: () => Promise<Found>,
  ): Promise<Found | T> {
    const version = await this.#db.dataVersion()
    if (version !== this.#version) this.#empty(version)
    const known = this.#entries.get(key)
    if (known) return known
    const found = await this.#findOnce(key, find)
    // Something may have been committed while it was looked up: then it is not kept.
    if (found && version === this.#version && version === (await this.#db.dataVersion())) {
      if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear()
      this.#entries.set(key, found)
    }
    return found
  }

  /** Several who ask for the same at once wait for one search. */
  async #findOnce<Found extends T | undefined>(
    key: string,
    find: () => Promise<Found>,
  ): Promise<Found> {
    const running = this.#searches.get(key) as Promise<Found> | undefined
    if (running) return running
    const search = find().finally(() => this.#end(key, search))
    this.#searches.set(key, search)
    return search
  }

  /** After a commit others may look for the same again: theirs goes on. */
  #end(key: string, search: Promise<unknown>): void {
    if (this.#searches.get(key) === search) this.#searches.delete(key)
  }

  #empty(version: DataVersion): void {
    this.#entries.clear()
    this.#searches.clear()
    this.#version = version
  }
}
