import pg from 'pg'
import { ConfigError, type Config } from '../config/config.ts'
import { hasCode } from '../errors.ts'

const UNKNOWN_NAME = '26000'
const NAME_TAKEN = '42P05'
const probe = { name: 'codestead_probe', text: 'SELECT 1' }

/**
 * A pooler may give each transaction another connection, on which the names of statements mean nothing or, worse, what
 * another process has called so. Whatever else is wrong with the database is told by whoever uses it.
 */
export async function assertNamesHold({ database }: Config): Promise<void> {
  const options = {
    connectionString: database.url,
    connectionTimeoutMillis: database.connect_timeout * 1000,
    query_timeout: database.connect_timeout * 1000,
  }
  const [one, other] = [new pg.Client(options), new pg.Client(options)]
  try {
    await Promise.all([one, other].map((client) => client.connect()))
    await other.query(probe)
    // Takes the connection that the other has just left, if they share them.
    await one.query('BEGIN')
    await other.query(probe)
  } catch (error) {
    if (hasCode(error, UNKNOWN_NAME) || hasCode(error, NAME_TAKEN)) throw forgetsNames(error)
  } finally {
    await Promise.allSettled([one, other].map((client) => client.end()))
  }
}

function forgetsNames(cause: unknown): ConfigError {
  const advice =
    'with PgBouncer, set max_prepared_statements (1.21 or newer) or pool_mode = session'
  const problem = 'a pooler before PostgreSQL does not keep the names of statements'
  return new ConfigError(`database.url: ${problem}: ${advice}`, { cause })
}
