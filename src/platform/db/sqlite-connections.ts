import type { CompiledQuery, QueryResult } from 'kysely'
import { SqliteAside } from './sqlite-aside.ts'
import { bindable, SqliteHandle } from './sqlite-handle.ts'
import { SqliteVersions } from './sqlite-versions.ts'
import { SqliteWriter, type Turn } from './sqlite-writer.ts'

export interface SqliteOptions {
  readonly path: string
  readonly readers: number
  /** How long a write waits for another process, in milliseconds. */
  readonly busyTimeout: number
}

/**
 * One connection writes, its transactions queued in this process; the others read, so that no read
 * waits for a transaction or sees half of one.
 */
export class SqliteConnections {
  readonly versions = new SqliteVersions(() => this.#wasChangedElsewhere())
  readonly #aside: SqliteAside
  readonly #writer: SqliteWriter
  readonly #readers: readonly SqliteHandle[]
  readonly #listeners: { readonly table: string; readonly tell: () => void }[] = []
  #nextReader = 0
  #dataVersion = 0
  #askedVersion = false

  constructor({ path, readers, busyTimeout }: SqliteOptions) {
    this.#aside = new SqliteAside(path)
    const handle = new SqliteHandle(path, false, this.versions)
    this.#writer = new SqliteWriter(handle, busyTimeout, () => this.#noteCommit())
    this.#readers = Array.from(
      { length: readers },
      () => new SqliteHandle(path, true, this.versions),
    )
  }

  /** One statement outside of all transactions. */
  async run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return isRead(query) ? this.#reader().run<R>(query) : this.#writer.write<R>(query)
  }

  begin(): Promise<Turn> {
    return this.#writer.begin()
  }

  readAside({ sql, parameters }: CompiledQuery): Promise<readonly unknown[]> {
    this.versions.noteUnknownRead()
    return this.#aside.read(sql, parameters.map(bindable))
  }

  onWritten(table: string, tell: () => void): void {
    this.#listeners.push({ table, tell })
  }

  async close(): Promise<void> {
    await this.#writer.finish()
    await this.#aside.close()
    for (const reader of this.#readers) reader.close()
    // The last one moves the log into the database, which none that only reads can do.
    await this.#writer.close()
  }

  #noteCommit(): void {
    const tables = this.versions.noteCommit()
    for (const { table, tell } of this.#listeners) if (tables.has(table)) tell()
  }

  /**
   * SQLite tells a connection when another one has committed; of this process only the writer does.
   * It is asked once for all requests of one turn of the event loop: they had all been sent before
   * the turn began.
   */
  #wasChangedElsewhere(): boolean {
    if (this.#askedVersion) return false
    this.#askedVersion = true
    setImmediate(() => (this.#askedVersion = false))
    const before = this.#dataVersion
    this.#dataVersion = this.#writer.dataVersion()
    return this.#dataVersion !== before
  }

  /**
   * The writer while nothing is being written: it need not read again what it has just committed.
   * Else one of the others; statements are synchronous, so taking turns is all that sharing them
   * needs.
   */
  #reader(): SqliteHandle {
    const idle = this.#writer.idle
    if (idle) return idle
    this.#nextReader = (this.#nextReader + 1) % this.#readers.length
    const reader = this.#readers[this.#nextReader]
    if (!reader) throw new Error('the database is not open')
    return reader
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return true
  return query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(sql) && !/\breturning\b/i.test(sql)
}
