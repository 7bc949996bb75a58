import {
  SqliteAdapter,
  SqliteIntrospector,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely'
import { LiteralLimits } from './literal-limits.ts'
import { SqliteAside } from './sqlite-aside.ts'
import type { Database } from './database.ts'
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
 * `node:sqlite` for Kysely: one connection writes, its transactions queued in this process; the others read,
 * so that no read waits for a transaction or sees half of one.
 */
export function nodeSqliteDialect(options: SqliteOptions): NodeSqliteDialect {
  const driver = new NodeSqliteDriver(options)
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LiteralLimits(),
    dataVersion: () => driver.versions.latest(),
    remember: (version, find) => driver.versions.remember(version, find),
    readAside: (query) => driver.readAside(query),
  }
}

export interface NodeSqliteDialect extends Dialect {
  /** Another number after each commit, of this process or another. */
  readonly dataVersion: () => number
  readonly remember: Database['remember']
  /** A read that would stop everything else for too long. */
  readonly readAside: (query: CompiledQuery) => Promise<readonly unknown[]>
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class NodeSqliteDriver implements Driver {
  readonly #options: SqliteOptions
  readonly #aside: SqliteAside
  readonly versions = new SqliteVersions(() => this.#wasChangedElsewhere())
  readonly #onRead = (tables: Iterable<string>) => this.versions.noteRead(tables)
  #writer: SqliteWriter | undefined
  #readers: SqliteHandle[] = []
  #nextReader = 0
  #dataVersion = 0
  #askedVersion = false

  constructor(options: SqliteOptions) {
    this.#options = options
    this.#aside = new SqliteAside(options.path)
  }

  async init(): Promise<void> {
    const { path, readers, busyTimeout } = this.#options
    const handle = new SqliteHandle(path, false, this.#onRead)
    this.#writer = new SqliteWriter(handle, busyTimeout, (tables) =>
      this.versions.noteCommit(tables),
    )
    for (let count = 0; count < readers; count++) {
      this.#readers.push(new SqliteHandle(path, true, this.#onRead))
    }
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#writer?.finish()
    await this.#aside.close()
    for (const reader of this.#readers) reader.close()
    // The last one moves the log into the database, which none that only reads can do.
    await this.#writer?.close()
  }

  readAside({ sql, parameters }: CompiledQuery): Promise<readonly unknown[]> {
    this.versions.noteUnknownRead()
    return this.#aside.read(sql, parameters.map(bindable))
  }

  get writer(): SqliteWriter {
    if (!this.#writer) throw new Error('the database is not open')
    return this.#writer
  }

  /**
   * SQLite tells a connection when another one has committed; of this process only the writer does. It is asked once
   * for all requests of one turn of the event loop: they had all been sent before the turn began.
   */
  #wasChangedElsewhere(): boolean {
    if (this.#askedVersion) return false
    this.#askedVersion = true
    setImmediate(() => (this.#askedVersion = false))
    const before = this.#dataVersion
    this.#dataVersion = this.writer.dataVersion()
    return this.#dataVersion !== before
  }

  /**
   * The writer while nothing is being written: it need not read again what it has just committed. Else one of the
   * others; statements are synchronous, so taking turns is all that sharing them needs.
   */
  reader(): SqliteHandle {
    const idle = this.writer.idle
    if (idle) return idle
    this.#nextReader = (this.#nextReader + 1) % this.#readers.length
    const reader = this.#readers[this.#nextReader]
    if (!reader) throw new Error('the database is not open')
    return reader
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: NodeSqliteDriver
  #turn: Turn | undefined

  constructor(driver: NodeSqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#turn) return this.#turn.run(query)
    return isRead(query) ? this.#driver.reader().run(query) : this.#driver.writer.write(query)
  }

  // oxlint-disable-next-line require-yield -- Kysely asks for the method; nothing here streams rows
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed from SQLite')
  }

  async begin(): Promise<void> {
    this.#turn = await this.#driver.writer.begin()
  }

  async commit(): Promise<void> {
    const turn = this.#turn
    this.#turn = undefined
    await turn?.commit()
  }

  async rollback(): Promise<void> {
    const turn = this.#turn
    this.#turn = undefined
    await turn?.rollback()
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return true
  return query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(sql) && !/\breturning\b/i.test(sql)
}

function asOurs(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection
  throw new TypeError('not a connection of this driver')
}
