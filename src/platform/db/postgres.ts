import { Kysely, type CompiledQuery } from 'kysely'
import pg, { type ClientConfig, type Pool, type PoolConfig } from 'pg'
import type { Config } from '../config/config.ts'
import type { Database, DataVersion, Remembered } from './database.ts'
import { PostgresWithArrays } from './lists-as-arrays.ts'
import { nameStatements, StatementNames } from './planned-once.ts'
import type { Schema } from './schema.ts'
import { SilenceWatch } from './silence-watch.ts'
import { DatabaseGone, guardClient, isLost } from './unavailable.ts'

/** By which PostgreSQL knows the connections of servers, as `pg_stat_activity` shows them. */
export const SERVER_NAME = 'codestead server'

export function openPostgres(
  config: Config,
  { isServer = false }: { readonly isServer?: boolean } = {},
): Database {
  const pool = openPool(config, isServer ? SERVER_NAME : 'codestead')
  const connect = () => pool.connect().catch(tellLoss)
  const dialect = new PostgresWithArrays({
    pool: { connect, end: () => pool.end(), options: pool.options },
  })
  const kysely = new Kysely<Schema>({ dialect })
  return Object.assign(kysely, {
    dialect: 'postgres' as const,
    dataVersion: snapshotsOf(pool),
    writtenVersion: () => NEVER,
    remember: rememberSnapshot,
    readAside: async (query: CompiledQuery) => (await kysely.executeQuery(query)).rows,
    onWritten: () => undefined,
    keepCopy: () => undefined,
  })
}

function tellLoss(error: unknown): never {
  throw isLost(error) ? new DatabaseGone(error, false) : error
}

/** Every commit ends what is kept. */
const NEVER = ''

const watched = new WeakSet<Pool>()

function openPool({ database }: Config, name: string): Pool {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  const patienceMs = database.connect_timeout * 1000
  const pool = new pg.Pool({
    connectionString: database.url,
    application_name: name,
    max: database.pool_size,
    types,
    keepAlive: true,
    Client: impatient(patienceMs),
  })
  if (watched.has(pool)) return pool
  watched.add(pool)
  // An idle connection that breaks (a restarted server) is replaced; unheard, its error would end
  // the process.
  pool.on('error', () => undefined)
  pool.on('connect', guardClient)
  const names = new StatementNames()
  pool.on('connect', (client) => nameStatements(client, names))
  new SilenceWatch(database.url, patienceMs).watch(pool)
  return pool
}

/**
 * Of the pool itself this would also limit how long one waits for a connection while all are in
 * use.
 */
function impatient(patienceMs: number): NonNullable<PoolConfig['Client']> {
  return class extends pg.Client {
    constructor(options?: ClientConfig) {
      super({ ...options, connectionTimeoutMillis: patienceMs })
    }
  }
}

/**
 * PostgreSQL names the transactions that a query sees; the same names, the same data. It is asked
 * once for all requests of one turn of the event loop: they had all been sent before the turn
 * began.
 */
function snapshotsOf(pool: Pool): () => Promise<DataVersion> {
  let asked: Promise<DataVersion> | undefined
  const ask = async () => {
    const { rows } = await pool
      .query<{ version: string }>({
        name: 'snapshot',
        text: 'SELECT pg_current_snapshot()::text AS version',
      })
      .catch(tellLoss)
    return rows[0]?.version ?? ''
  }
  return () => {
    if (asked) return asked
    asked = ask()
    setImmediate(() => (asked = undefined))
    return asked
  }
}

/** PostgreSQL does not say what a transaction changed: anything that is committed counts. */
async function rememberSnapshot<T>(
  version: DataVersion,
  find: () => Promise<T>,
): Promise<Remembered<T>> {
  return { value: await find(), holdsAt: (other) => other === version }
}
