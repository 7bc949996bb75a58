import autocannon from 'autocannon'

export interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)

/** Calls `url` from eight connections for some seconds, after a warm-up. */
export async function load(url: string, headers: Record<string, string> = {}): Promise<Figures> {
  await autocannon({ url, headers, connections: 8, duration: 1 })
  const result = await autocannon({ url, headers, connections: 8, duration: SECONDS })
  return {
    perSecond: Math.round(result.requests.average),
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}
