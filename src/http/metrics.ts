import type { FastifyInstance } from 'fastify'
import { isSameSecret } from '../auth/same-secret.ts'
import type { Config } from '../config/config.ts'
import { RequestTimes } from './request-times.ts'

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface MetricsOptions {
  /** Memory, event loop and garbage collection of this process: for a real server. */
  readonly ofProcess: boolean
}

/** Counts and times requests, and shows the figures to Prometheus at /metrics. */
export function addMetrics(
  server: FastifyInstance,
  { metrics }: Config,
  { ofProcess }: MetricsOptions,
): void {
  if (!metrics.enabled) return
  const times = new RequestTimes()
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.pattern ?? request.routeOptions.url ?? 'none'
    times.note(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  let describeProcess: (() => Promise<string>) | undefined
  server.get('/metrics', async (request, reply) => {
    if (metrics.token !== '' && !carries(request.headers.authorization, metrics.token)) {
      return reply.status(401).header('www-authenticate', 'Bearer').send()
    }
    if (ofProcess) describeProcess ??= await watchProcess()
    const text = times.text() + ((await describeProcess?.()) ?? '')
    return reply.header('content-type', CONTENT_TYPE).send(text)
  })
}

/** Loaded when figures are first asked for: most servers are never asked. */
async function watchProcess(): Promise<() => Promise<string>> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return () => registry.metrics()
}

function carries(authorization: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? []
  return given !== undefined && isSameSecret(given, token)
}
