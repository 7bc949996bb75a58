import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { Config } from '../config/config.ts'
import { nodeSqliteDialect } from './node-sqlite.ts'
import type { Schema } from './schema.ts'

export type Dialect = 'sqlite' | 'postgres'

/** The database, or a transaction on it: whoever calls a query decides what is atomic. */
export type Executor = Kysely<Schema>

export interface Database extends Executor {
  readonly dialect: Dialect
  /**
   * A number that changes when anything is committed, so that what was read under the same number still holds;
   * `undefined` where the database does not show one, and nothing may be kept.
   */
  readonly dataVersion: () => number | undefined
}

export async function openDatabase(config: Config): Promise<Database> {
  return config.database.url ? openPostgres(config) : openSqlite(config)
}

function openSqlite(config: Config): Database {
  mkdirSync(config.data, { recursive: true })
  const dialect = nodeSqliteDialect({
    path: join(config.data, 'codestead.db'),
    readers: config.database.readers,
    busyTimeout: config.database.busy_timeout * 1000,
  })
  const { dataVersion } = dialect
  return Object.assign(new Kysely<Schema>({ dialect }), { dialect: 'sqlite' as const, dataVersion })
}

async function openPostgres(config: Config): Promise<Database> {
  // Loaded only where it is used: the embedded default starts faster without it.
  const { default: pg } = await import('pg')
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  const pool = new pg.Pool({
    connectionString: config.database.url,
    max: config.database.pool_size,
    types,
  })
  // An idle connection that breaks (a restarted server) is replaced; unheard, its error would end the process.
  pool.on('error', () => undefined)
  const dialect = new PostgresDialect({ pool })
  return Object.assign(new Kysely<Schema>({ dialect }), {
    dialect: 'postgres' as const,
    dataVersion: () => undefined,
  })
}

/** Whether `error` says that a row with this key is there already. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  const errcode = 'errcode' in error ? error.errcode : undefined
  return code === '23505' || errcode === 2067 || errcode === 1555
}
