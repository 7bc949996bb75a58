import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)
const WORTH_IT_BYTES = 1024

/** Texts of some size are sent compressed to whoever accepts that. */
export function addCompression(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    reply.header('vary', 'Accept-Encoding')
    const accepted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\b)/.test(
      request.headers['accept-encoding'] ?? '',
    )
    if (!accepted || typeof payload !== 'string' || payload.length < WORTH_IT_BYTES) return payload
    const compressed = await compress(payload)
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return compressed
  })
}
