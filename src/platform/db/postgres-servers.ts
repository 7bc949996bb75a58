import pg from 'pg'
import type { Config } from '../config/config.ts'
import { SERVER_NAME } from './postgres.ts'

/** How many connections servers have to this database now. */
export async function findServers({ database }: Config): Promise<number> {
  const client = new pg.Client({
    connectionString: database.url,
    connectionTimeoutMillis: database.connect_timeout * 1000,
  })
  await client.connect()
  try {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1`,
      [SERVER_NAME],
    )
    return rows[0]?.count ?? 0
  } finally {
    await client.end()
  }
}
