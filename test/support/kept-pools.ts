import pg, { type Pool, type PoolConfig } from 'pg'

const kept = new Map<string, Pool>()

/**
 * Connections to the databases of tests outlive the servers that open them: a new one knows no table yet, and the first
 * statements on it take several times as long as the next.
 */
export function keepPools(isKept: (url: string) => boolean): void {
  const Original = pg.Pool
  pg.Pool = function KeptPool(options: PoolConfig) {
    const { connectionString = '', max } = options
    if (!isKept(connectionString)) return new Original(options)
    const key = `${connectionString} ${max}`
    const pool = kept.get(key) ?? new Original({ ...options, allowExitOnIdle: true })
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
