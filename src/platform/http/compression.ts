import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const WORTH_IT_BYTES = 1024

/** Texts of some size are sent compressed to whoever accepts that. */
export function addCompression(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const vary = reply.getHeader('vary')
    reply.header(
      'vary',
      vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`,
    )
    const isWorthIt = typeof payload === 'string' && payload.length >= WORTH_IT_BYTES
    if (!isWorthIt || !acceptsGzip(request)) return done(null, payload)
    gzip(payload, (error, compressed) => {
      if (error) return done(error)
      reply.header('content-encoding', 'gzip').removeHeader('content-length')
      done(null, compressed)
    })
  })
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\b)/.test(headers['accept-encoding'] ?? '')
}
