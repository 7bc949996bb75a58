import pg from 'pg'
import { ConfigError, type Config } from '../config/config.ts'
import { hasCode } from '../errors.ts'

const LEAST_VERSION = 13
const UNKNOWN_NAME = '26000'
const NAME_TAKEN = '42P05'
const probe = { name: 'codestead_probe', text: 'SELECT 1' }

/** What would go wrong later is told at the start. */
export async function assertFit({ database }: Config): Promise<void> {
  const options = {
    connectionString: database.url,
    connectionTimeoutMillis: database.connect_timeout * 1000,
    query_timeout: database.connect_timeout * 1000,
  }
  const [one, other] = [new pg.Client(options), new pg.Client(options)]
  try {
    await Promise.all([one, other].map((client) => client.connect()))
    await assertSuitable(one)
    await assertNamesHold(one, other)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw unfit(told(error))
  } finally {
    await Promise.allSettled([one, other].map((client) => client.end()))
  }
}

async function assertSuitable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`,
  )
  const { version = '', encoding = '' } = rows[0] ?? {}
  const major = Math.floor(Number(version) / 10_000)
  if (major < LEAST_VERSION)
    throw unfit(`PostgreSQL ${LEAST_VERSION} or newer is needed, not ${major}`)
  if (encoding !== 'UTF8')
    throw unfit(`the encoding of the database has to be UTF8, not ${encoding}`)
}

/**
 * A pooler may give each transaction another connection, on which the names of statements mean
 * nothing or, worse, what another process has called so.
 */
async function assertNamesHold(one: pg.Client, other: pg.Client): Promise<void> {
  try {
    await other.query(probe)
    // Takes the connection that the other has just left, if they share them.
    await one.query('BEGIN')
    await other.query(probe)
  } catch (error) {
    if (!hasCode(error, UNKNOWN_NAME) && !hasCode(error, NAME_TAKEN)) throw error
    throw unfit(
      'a pooler before PostgreSQL does not keep the names of statements: with PgBouncer, set max_prepared_statements (1.21 or newer) or pool_mode = session',
    )
  }
}

/** A refused connection to several addresses has a message for each. */
function told(error: unknown): string {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error]
  return `PostgreSQL cannot be used: ${errors.map(({ message }) => message).join('; ')}`
}

function unfit(problem: string): ConfigError {
  return new ConfigError(`database.url: ${problem}`)
}
