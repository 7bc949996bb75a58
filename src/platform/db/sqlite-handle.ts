import {
  constants,
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'
import { MissingParent, saysMissingParent } from './missing-parent.ts'
import { rowMaker, type MakeRow } from './row-maker.ts'

interface Prepared {
  readonly statement: StatementSync
  /** None for what gives no rows. */
  rows: Rows | undefined
  readonly tables: Tables
}

interface Rows {
  readonly columns: number
  readonly make: MakeRow
}

/** What a statement touches, also through triggers and foreign keys. */
interface Tables {
  readonly read: Set<string>
  readonly written: Set<string>
}

/** Hears which tables each statement touches. */
export interface Watch {
  readonly noteRead: (tables: ReadonlySet<string>) => void
  readonly noteWrite: (tables: ReadonlySet<string>) => void
}

/** A connection with its statements, each prepared once and kept by its text. */
export class SqliteHandle {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, Prepared>()
  readonly #commands = new Map<string, StatementSync>()
  readonly #watch: Watch
  /** Of the statement that is being prepared or run. */
  #tables: Tables | undefined
  #dataVersion: StatementSync | undefined

  constructor(path: string, readOnly: boolean, watch: Watch) {
    this.#watch = watch
    this.#db = new DatabaseSync(path, { enableForeignKeyConstraints: true, readOnly })
    this.#db.exec('PRAGMA busy_timeout = 0; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY')
    if (!readOnly) this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    this.#db.setAuthorizer((action, table) => this.#noteTable(action, table))
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** One statement without parameters or rows, which is prepared once and kept. */
  command(sql: string): void {
    const command = this.#commands.get(sql) ?? this.#db.prepare(sql)
    this.#commands.set(sql, command)
    command.run()
  }

  dataVersion(): number {
    this.#dataVersion ??= this.#prepareArrays('PRAGMA data_version')
    return Number((this.#dataVersion.get() as unknown as SQLOutputValue[])[0])
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const prepared = this.#prepare(sql)
    const { statement, tables } = prepared
    const values = parameters.map(bindable)
    this.#tables = tables
    try {
      if (prepared.rows) return { rows: readRows(prepared, values) as R[] }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } catch (error) {
      throw saysMissingParent(error) ? new MissingParent(error) : error
    } finally {
      this.#watch.noteRead(tables.read)
      this.#watch.noteWrite(tables.written)
    }
  }

  close(): void {
    this.#statements.clear()
    this.#commands.clear()
    this.#db.close()
  }

  /** Rows without names come at a third of the cost. */
  #prepareArrays(sql: string): StatementSync {
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }

  #prepare(sql: string): Prepared {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    const tables = { read: new Set<string>(), written: new Set<string>() }
    this.#tables = tables
    const statement = this.#prepareArrays(sql)
    const prepared = { statement, rows: rowsOf(statement), tables }
    // Lists of values make new texts without end; the bound keeps memory flat.
    if (this.#statements.size >= 1000) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }

  /**
   * SQLite asks for leave for each table while it prepares a statement, some only while it runs.
   */
  #noteTable(action: number, table: string | null): number {
    if (table === null) return constants.SQLITE_OK
    if (action === constants.SQLITE_READ) this.#tables?.read.add(table)
    if (writes.has(action)) this.#tables?.written.add(table)
    return constants.SQLITE_OK
  }
}

function readRows(prepared: Prepared, values: readonly SQLInputValue[]): readonly unknown[] {
  const rows = prepared.statement.all(...values) as unknown as SQLOutputValue[][]
  const [first] = rows
  if (!first) return []
  // SQLite prepares it anew by itself when its tables have got other columns.
  if (first.length !== prepared.rows?.columns) prepared.rows = rowsOf(prepared.statement)
  const make = prepared.rows?.make
  return make ? rows.map((row) => make(row)) : []
}

function rowsOf(statement: StatementSync): Rows | undefined {
  const names = statement.columns().map(({ name }) => name)
  return names.length === 0 ? undefined : { columns: names.length, make: rowMaker(names) }
}

const writes: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
])

/**
 * `node:sqlite` takes a bare object for named parameters, and stores a Date as null without a word.
 */
export function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a ${typeof value} cannot be bound to a statement`)
}
