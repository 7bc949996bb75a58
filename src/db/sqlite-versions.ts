import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataVersion, Remembered } from './database.ts'

/** Instead of the name of a table: a read of which nobody knows what it looks at. */
const ANY_TABLE = '*'

/** Numbers the commits and knows which of them changed a table, so that what was read from the others still holds. */
export class SqliteVersions {
  readonly #reads = new AsyncLocalStorage<Set<string>>()
  readonly #changedAt = new Map<string, number>()
  readonly #wasChangedElsewhere: () => boolean
  #latest = 0
  #lastElsewhere = 0

  constructor(wasChangedElsewhere: () => boolean) {
    this.#wasChangedElsewhere = wasChangedElsewhere
  }

  /** The number of the last commit, of this process or another. */
  latest(): number {
    // What another process has written is not known.
    if (this.#wasChangedElsewhere()) this.#lastElsewhere = ++this.#latest
    return this.#latest
  }

  noteCommit(tables: Iterable<string>): void {
    this.#latest++
    for (const table of tables) this.#changedAt.set(table, this.#latest)
    this.#changedAt.set(ANY_TABLE, this.#latest)
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
