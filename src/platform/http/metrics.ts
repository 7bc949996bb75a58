import type { FastifyInstance } from 'fastify'
import { isSameSecret } from '../same-secret.ts'
import type { Config } from '../config/config.ts'
import { writeFigures, type GatherFigures, type Meter } from './figures.ts'

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Counts and times requests, and shows the figures to Prometheus at /metrics: those of all
 * processes that share the port.
 */
export function addMetrics(
  server: FastifyInstance,
  { metrics }: Config,
  meter: Meter,
  gather: GatherFigures | undefined,
): void {
  if (!metrics.enabled) return
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.pattern ?? request.routeOptions.url ?? 'none'
    meter.requests.note(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', async (request, reply) => {
    if (metrics.token !== '' && !carries(request.headers.authorization, metrics.token)) {
      return reply.status(401).header('www-authenticate', 'Bearer').send()
    }
    const text = gather ? await writeFigures(await gather()) : await meter.write()
    return reply.header('content-type', CONTENT_TYPE).send(text)
  })
}

function carries(authorization: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? []
  return given !== undefined && isSameSecret(given, token)
}
