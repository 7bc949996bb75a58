import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataVersion, Remembered } from './database.ts'

/** Instead of the name of a table: a read of which nobody knows what it looks at. */
const ANY_TABLE = '*'

/**
 * Numbers what is written and knows which tables that changed, so that what was read from the
 * others still holds.
 */
export class SqliteVersions {
  readonly #reads = new AsyncLocalStorage<Set<string>>()
  /** The last write to each table, as far as it is committed. */
  readonly #changedAt = new Map<string, number>()
  readonly #wasChangedElsewhere: () => boolean
  /** The last write to each table that is not committed yet. */
  #uncommitted = new Map<string, number>()
  #lastWrite = 0
  #latest = 0
  #lastElsewhere = 0

  constructor(wasChangedElsewhere: () => boolean) {
    this.#wasChangedElsewhere = wasChangedElsewhere
  }

  /** The number of the last commit, of this process or another. */
  latest(): number {
    if (this.#wasChangedElsewhere()) this.#noteElsewhere()
    return this.#latest
  }

  /**
   * The number of the last write: what a transaction reads after it holds once that is committed.
   */
  written(): number {
    return this.#lastWrite
  }

  noteWrite(tables: ReadonlySet<string>): void {
    if (tables.size === 0) return
    this.#lastWrite++
    for (const table of tables) this.#uncommitted.set(table, this.#lastWrite)
  }

  /** The tables of which something is committed now. */
  noteCommit(): ReadonlySet<string> {
    const written = this.#uncommitted
    this.#uncommitted = new Map()
    this.#latest = ++this.#lastWrite
    for (const [table, write] of written) this.#changedAt.set(table, write)
    this.#changedAt.set(ANY_TABLE, this.#latest)
    return new Set(written.keys())
  }

  /**
   * What another process has written is not known. What is uncommitted here is changed after all
   * that is read by now.
   */
  #noteElsewhere(): void {
    this.#lastElsewhere = this.#latest = ++this.#lastWrite
    for (const table of this.#uncommitted.keys()) this.#uncommitted.set(table, ++this.#lastWrite)
  }

  noteRead(tables: Iterable<string>): void {
    const noted = this.#reads.getStore()
    if (noted) for (const table of tables) noted.add(table)
  }

  noteUnknownRead(): void {
    this.noteRead([ANY_TABLE])
  }

  async remember<T>(version: DataVersion, find: () => Promise<T>): Promise<Remembered<T>> {
    const tables = new Set<string>()
    try {
      const value = await this.#reads.run(tables, find)
      return { value, holdsAt: this.#watch(tables, Number(version)) }
    } finally {
      this.noteRead(tables)
    }
  }

  #watch(tables: ReadonlySet<string>, began: number): Remembered<unknown>['holdsAt'] {
    let since = began
    return (version) => {
      // Whoever makes something of it depends on the same.
      this.noteRead(tables)
      if (version !== since && !this.#areUnchanged(tables, since)) return false
      since = Number(version)
      return true
    }
  }

  #areUnchanged(tables: ReadonlySet<string>, since: number): boolean {
    if (this.#lastElsewhere > since) return false
    for (const table of tables) if ((this.#changedAt.get(table) ?? 0) > since) return false
    return true
  }
}
