import pg, { type Pool, type PoolClient, type PoolConfig } from 'pg'

const kept = new Map<string, Pool>()

/**
 * Connections to the databases of tests outlive the servers that open them: a new one knows no
 * table yet, and the first statements on it take several times as long as the next.
 */
export function keepPools(isKept: (url: string) => boolean): void {
  const Original = pg.Pool
  const newPool = (options: PoolConfig) => new Original(options).on('connect', keepPlans)
  pg.Pool = function KeptPool(options: PoolConfig) {
    const { connectionString = '', max } = options
    if (!isKept(connectionString)) return new Original(options)
    const key = `${connectionString} ${max}`
    const pool = kept.get(key) ?? newPool({ ...options, allowExitOnIdle: true })
    kept.delete(key)
    const end = Original.prototype.end.bind(pool)
    // Once all its connections are free, the next server on this database gets it.
    pool.end = async () => {
      if (pool.totalCount !== pool.idleCount) return end()
      pool.removeAllListeners('error').on('error', () => undefined)
      kept.set(key, pool)
    }
    return pool
  } as unknown as typeof pg.Pool
}

const names = new Map<string, string>()
const seen = new Map<string, number>()

/**
 * A text that comes again is planned once in a connection: PostgreSQL takes longer to plan most of
 * ours than to run them.
 */
function keepPlans(client: PoolClient): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown
  client.query = ((text: unknown, values: unknown, ...more: unknown[]) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, ...more)
    return query({ text, values, ...nameOf(text) }, ...more)
  }) as typeof client.query
}

function nameOf(text: string): { name?: string } {
  const times = (seen.get(text) ?? 0) + 1
  seen.set(text, times)
  if (times < 3) return {}
  const name = names.get(text) ?? `plan ${names.size}`
  names.set(text, name)
  return { name }
}
