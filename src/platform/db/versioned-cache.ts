import { cacheMemory, type Holder } from '../caches/cache-memory.ts'
import type { Database, DataVersion, Remembered } from './database.ts'

const MAX_ENTRIES = 4_000
/** About what one takes: a record of the database, and what was made of it. */
const ENTRY_BYTES = 3 * 1024

/**
 * What was read lately, by key. It is given again only while a look would find the same, whichever
 * process has committed something meanwhile.
 */
export class VersionedCache<T extends object> implements Holder {
  readonly name: string
  readonly #db: Database
  readonly #entries = new Map<string, { readonly found: Remembered<T>; readonly keptAt: number }>()
  readonly #searches = new Map<string, Promise<Remembered<T | undefined>>>()
  #version: DataVersion | undefined

  constructor(name: string, db: Database) {
    this.name = name
    this.#db = db
    cacheMemory.add(this)
  }

  get weight(): number {
    return this.#entries.size * ENTRY_BYTES
  }

  get oldest(): number | undefined {
    return this.#entries.values().next().value?.keptAt
  }

  dropOldest(): void {
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  /** What is known under `key`, else what `find` finds. */
  async get<Found extends T | undefined>(
    key: string,
    find: () => Promise<Found>,
  ): Promise<Found | T> {
    const version = await this.#db.dataVersion()
    const known = this.#entries.get(key)?.found
    if (known?.holdsAt(version)) return known.value
    const found = await this.#findOnce(version, key, find)
    if (isFound(found) && (await this.#isWorthKeeping(found))) this.keep(key, found)
    else this.#entries.delete(key)
    return found.value
  }

  /**
   * Something may have been committed while it was looked up: then it is never given again, kept or
   * not. To ask PostgreSQL for that would cost a round trip.
   */
  async #isWorthKeeping(found: Remembered<T>): Promise<boolean> {
    return this.#db.dialect === 'postgres' || found.holdsAt(await this.#db.dataVersion())
  }

  /** For whoever asks next, if nothing has changed it by then. */
  keep(key: string, found: Remembered<T>): void {
    // The one that was found longest ago makes room.
    this.#entries.delete(key)
    if (this.#entries.size >= MAX_ENTRIES) this.dropOldest()
    this.#entries.set(key, { found, keptAt: cacheMemory.use() })
    cacheMemory.trim()
  }

  /** Several who ask for the same at once wait for one search. */
  async #findOnce<Found extends T | undefined>(
    version: DataVersion,
    key: string,
    find: () => Promise<Found>,
  ): Promise<Remembered<Found>> {
    // After a commit nobody joins a search that began before it.
    if (version !== this.#version) this.#searches.clear()
    this.#version = version
    const running = this.#searches.get(key) as Promise<Remembered<Found>> | undefined
    if (running) return running
    const search = this.#db.remember(version, find).finally(() => this.#end(key, search))
    this.#searches.set(key, search)
    return search
  }

  /** After a commit others may look for the same again: theirs goes on. */
  #end(key: string, search: Promise<unknown>): void {
    if (this.#searches.get(key) === search) this.#searches.delete(key)
  }
}

function isFound<T>(found: Remembered<T | undefined>): found is Remembered<T & {}> {
  return found.value !== undefined
}
