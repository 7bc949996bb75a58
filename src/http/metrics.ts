import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import { isSameSecret } from '../auth/same-secret.ts'
import type { Config } from '../config/config.ts'

const labelNames = ['method', 'route', 'status'] as const

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
  const registry = new Registry()
  if (ofProcess) collectDefaultMetrics({ register: registry })
  observeRequests(server, registry)
  server.get('/metrics', async (request, reply) => {
    if (metrics.token !== '' && !carries(request.headers.authorization, metrics.token)) {
      return reply.status(401).header('www-authenticate', 'Bearer').send()
    }
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

/** By the pattern of the route, never by its address: names of repositories would make figures without end. */
function observeRequests(server: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: 'codestead_http_requests_total',
    help: 'Requests answered.',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'codestead_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  server.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    }
    requests.inc(labels)
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
}

function carries(authorization: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? []
  return given !== undefined && isSameSecret(given, token)
}
