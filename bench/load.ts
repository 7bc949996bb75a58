import autocannon from 'autocannon'
import { printTable } from './table.ts'
import { median } from './time.ts'

export interface LoadedRoute {
  readonly route: string
  readonly url: string
  readonly headers?: Record<string, string>
  /** What is sent, for a route that writes: another one each time. */
  readonly write?: { readonly method: 'PATCH' | 'POST'; readonly body: (count: number) => object }
  /** What is promised of its ratio to the first route. */
  readonly target?: string
}

interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 6)
const TURNS = 6
/** What has run for a while has been compiled. */
const WARM_UP_SECONDS = 2

/**
 * Calls the routes from eight connections and prints their figures beside the first one's. They
 * take turns, so that what else the machine does meets all alike.
 */
export async function loadInTurns(heading: string, routes: readonly LoadedRoute[]): Promise<void> {
  for (const route of routes) await load(route, WARM_UP_SECONDS)
  const turns: Figures[][] = routes.map(() => [])
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, route] of routes.entries()) {
      turns[index]?.push(await load(route, SECONDS / TURNS))
    }
  }
  const first = middleOf(turns[0] ?? [])
  printTable(
    `${heading}, 8 connections`,
    routes.map(({ route, target = '' }, index) => {
      const { perSecond, p50, p99, failed } = middleOf(turns[index] ?? [])
      const ratio = (perSecond / first.perSecond).toFixed(2)
      return {
        route,
        'per second': Math.round(perSecond),
        'p50 ms': p50,
        'p99 ms': p99,
        failed,
        ratio,
        target,
      }
    }),
  )
}

async function load({ url, headers, write }: LoadedRoute, duration: number): Promise<Figures> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    headers: { ...headers, ...(write ? { 'content-type': 'application/json' } : {}) },
    connections: 8,
    duration,
    ...(write ? { method: write.method, requests: [{ setupRequest: fillIn(write) }] } : {}),
  })
  const { p50, p99 } = latency
  return { perSecond: requests.average, p50, p99, failed: non2xx + errors }
}

let written = 0

function fillIn({ body }: NonNullable<LoadedRoute['write']>) {
  return (request: autocannon.Request) => ({ ...request, body: JSON.stringify(body(written++)) })
}

function middleOf(turns: readonly Figures[]): Figures {
  return {
    perSecond: median(turns.map(({ perSecond }) => perSecond)),
    p50: median(turns.map(({ p50 }) => p50)),
    p99: median(turns.map(({ p99 }) => p99)),
    failed: turns.reduce((sum, { failed }) => sum + failed, 0),
  }
}
