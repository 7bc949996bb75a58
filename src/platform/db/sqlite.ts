import {
  DefaultQueryExecutor,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  Transaction,
  TransactionBuilder,
  type CompiledQuery,
  type Dialect,
  type Driver,
  type KyselyProps,
  type QueryResult,
} from 'kysely'
import { LiteralLimits } from './literal-limits.ts'
import type { Schema } from './schema.ts'
import type { SqliteConnections } from './sqlite-connections.ts'

/** Runs a statement, in a transaction or outside of all. */
type Run = <R>(query: CompiledQuery) => Promise<QueryResult<R>>

/**
 * `node:sqlite` for Kysely. Statements are run as they come: to lend a connection for each, as
 * Kysely does for other databases, takes longer than most of them.
 */
export class Sqlite extends Kysely<Schema> {
  readonly #connections: SqliteConnections
  readonly #props: KyselyProps
  #closing: Promise<void> | undefined

  constructor(connections: SqliteConnections) {
    const props = propsFor(<R>(query: CompiledQuery) => connections.run<R>(query))
    super(props)
    this.#props = props
    this.#connections = connections
  }

  override transaction(): TransactionBuilder<Schema> {
    return new SqliteTransactions(this.#props, this.#connections)
  }

  override async destroy(): Promise<void> {
    this.#closing ??= this.#connections.close()
    await this.#closing
  }
}

class SqliteTransactions extends TransactionBuilder<Schema> {
  readonly #connections: SqliteConnections

  constructor(props: KyselyProps, connections: SqliteConnections) {
    super(props)
    this.#connections = connections
  }

  override async execute<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    const turn = await this.#connections.begin()
    const tx = new Transaction<Schema>(
      propsFor(async <R>(query: CompiledQuery) => turn.run<R>(query)),
    )
    let result: T
    try {
      result = await work(tx)
    } catch (error) {
      await turn.rollback()
      throw error
    }
    await turn.commit()
    return result
  }
}

class DirectExecutor extends DefaultQueryExecutor {
  readonly #run: Run

  constructor(run: Run) {
    const connection = { executeQuery: run, streamQuery: refuse }
    // For what Kysely does with the results of a statement: plugins, introspection.
    super(compiler, adapter, { provideConnection: (use) => use(connection) })
    this.#run = run
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run<R>(query)
  }
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const compiler = new LiteralLimits()
const adapter = new Adapter()

function refuse(): never {
  throw new Error(
    'not on SQLite: transactions are begun by `transaction().execute`, and rows not streamed',
  )
}

const driver: Driver = {
  init: refuse,
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
  destroy: refuse,
}

const dialect: Dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createQueryCompiler: () => compiler,
}

const config = { dialect }

function propsFor(run: Run): KyselyProps {
  return { config, dialect, driver, executor: new DirectExecutor(run) }
}
