import pg, { type Pool, type PoolClient } from 'pg'

/**
 * A network that swallows everything breaks no connection: whoever asks would wait for ever. So
 * when an answer takes long, somebody else tries to reach the database; where that fails, the
 * connections that wait are given up. A query may take as long as it likes otherwise.
 */
export class SilenceWatch {
  readonly #url: string
  readonly #patienceMs: number
  /** Since when each connection is somebody's. */
  readonly #busy = new Map<PoolClient, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(url: string, patienceMs: number) {
    this.#url = url
    this.#patienceMs = patienceMs
  }

  watch(pool: Pool): void {
    pool.on('acquire', (client) => this.#begin(client))
    pool.on('release', (_error, client) => this.#busy.delete(client))
  }

  #begin(client: PoolClient): void {
    this.#busy.set(client, performance.now())
    this.#timer ??= setInterval(() => void this.#look(), this.#patienceMs).unref()
  }

  async #look(): Promise<void> {
    if (this.#busy.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const before = performance.now() - this.#patienceMs
    const waiting = [...this.#busy].filter(([, since]) => since < before)
    if (waiting.length === 0 || (await this.#isReachable())) return
    for (const [client, since] of waiting) if (this.#busy.get(client) === since) giveUp(client)
  }

  /** A database that refuses is one that answers. */
  async #isReachable(): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: this.#patienceMs,
      query_timeout: this.#patienceMs,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('SELECT 1')
      return true
    } catch (error) {
      return error instanceof pg.DatabaseError
    } finally {
      giveUp(client)
    }
  }
}

/** Without a word of farewell, for which it would wait. */
function giveUp(client: pg.ClientBase): void {
  const { connection } = client as unknown as {
    readonly connection: { readonly stream: { readonly destroy: () => void } }
  }
  connection.stream.destroy()
}
