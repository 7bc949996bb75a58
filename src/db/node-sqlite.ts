import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely'
import { SqliteAside } from './sqlite-aside.ts'

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
    createQueryCompiler: () => new SqliteQueryCompiler(),
    dataVersion: () => driver.dataVersion(),
    readAside: (query) => driver.readAside(query),
  }
}

export interface NodeSqliteDialect extends Dialect {
  /** Another number after each commit, of this process or another. */
  readonly dataVersion: () => number
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
  #writer: Handle | undefined
  #readers: Handle[] = []
  #nextReader = 0
  #dataVersion: number | undefined
  #queue: Promise<void> = Promise.resolve()

  constructor(options: SqliteOptions) {
    this.#options = options
    this.#aside = new SqliteAside(options.path)
  }

  async init(): Promise<void> {
    this.#writer = new Handle(this.#options.path, false)
    for (let count = 0; count < this.#options.readers; count++) {
      this.#readers.push(new Handle(this.#options.path, true))
    }
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).end('COMMIT')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).end('ROLLBACK')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#queue
    await this.#aside.close()
    for (const reader of this.#readers) reader.close()
    this.#writer?.close()
  }

  readAside({ sql, parameters }: CompiledQuery): Promise<readonly unknown[]> {
    return this.#aside.read(sql, parameters.map(bindable))
  }

  get writer(): Handle {
    if (!this.#writer) throw new Error('the database is not open')
    return this.#writer
  }

  /**
   * SQLite tells a connection when any other one has committed; the first reader never commits itself. It is asked
   * once for all requests of one turn of the event loop: they had all been sent before the turn began.
   */
  dataVersion(): number {
    if (this.#dataVersion === undefined) {
      this.#dataVersion = (this.#readers[0] ?? this.writer).dataVersion()
      setImmediate(() => this.forgetDataVersion())
    }
    return this.#dataVersion
  }

  forgetDataVersion(): void {
    this.#dataVersion = undefined
  }

  /** Statements are synchronous, so taking turns is all that sharing the readers needs. */
  reader(): Handle {
    this.#nextReader = (this.#nextReader + 1) % this.#readers.length
    return this.#readers[this.#nextReader] ?? this.writer
  }

  /** Waits for the writing connection; the returned function hands it on. */
  async takeWriter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#queue
    this.#queue = before.then(() => promise)
    await before
    return resolve
  }

  /**
   * Tries again while another process writes. SQLite's own busy timeout would sleep on the event loop's
   * thread, and stop everything else meanwhile.
   */
  async whenFree<T>(work: () => T): Promise<T> {
    const end = Date.now() + this.#options.busyTimeout
    for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || Date.now() > end) throw error
        await delay(pause)
      }
    }
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: NodeSqliteDriver
  #handOn: (() => void) | undefined

  constructor(driver: NodeSqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#handOn) return this.#driver.writer.run(query)
    if (isRead(query)) return this.#driver.reader().run(query)
    const handOn = await this.#driver.takeWriter()
    try {
      return await this.#driver.whenFree(() => this.#driver.writer.run<R>(query))
    } finally {
      this.#driver.forgetDataVersion()
      handOn()
    }
  }

  // oxlint-disable-next-line require-yield -- Kysely asks for the method; nothing here streams rows
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed from SQLite')
  }

  async begin(): Promise<void> {
    const handOn = await this.#driver.takeWriter()
    try {
      await this.#driver.whenFree(() => this.#driver.writer.exec('BEGIN IMMEDIATE'))
      this.#handOn = handOn
    } catch (error) {
      handOn()
      throw error
    }
  }

  end(command: 'COMMIT' | 'ROLLBACK'): void {
    try {
      this.#driver.writer.exec(command)
    } finally {
      // A failed COMMIT (a full disk) leaves the transaction open, and the next one could not begin.
      if (this.#driver.writer.inTransaction) this.#driver.writer.exec('ROLLBACK')
      this.#driver.forgetDataVersion()
      this.#handOn?.()
      this.#handOn = undefined
    }
  }
}

interface Prepared {
  readonly statement: StatementSync
  readonly reads: boolean
}

/** A connection with its statements, each prepared once and kept by its text. */
class Handle {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  constructor(path: string, readOnly: boolean) {
    this.#db = new DatabaseSync(path, { enableForeignKeyConstraints: true, readOnly })
    this.#db.exec('PRAGMA busy_timeout = 0; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY')
    if (!readOnly) this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  dataVersion(): number {
    return Number(this.#prepare('PRAGMA data_version').statement.get()?.['data_version'])
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, reads } = this.#prepare(sql)
    const values = parameters.map(bindable)
    if (reads) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #prepare(sql: string): Prepared {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    const statement = this.#db.prepare(sql)
    const prepared = { statement, reads: statement.columns().length > 0 }
    // Lists of values make new texts without end; the bound keeps memory flat.
    if (this.#statements.size >= 1000) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }
}

/** `node:sqlite` takes a bare object for named parameters, and stores a Date as null without a word. */
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a ${typeof value} cannot be bound to a statement`)
}

function isRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return true
  return query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(sql) && !/\breturning\b/i.test(sql)
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

function asOurs(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection
  throw new TypeError('not a connection of this driver')
}
