import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

/**
 * Lets browsers on other origins call, but not at the host of files. Preflights are answered before
 * anything is routed.
 */
export function addCors(server: FastifyInstance, { cors }: Config): void {
  const open = cors.allow_origins.includes('*')
  const allowed = (origin: string) => open || cors.allow_origins.includes(origin)

  server.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (request.signedFor) return done()
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin !== undefined && allowed(origin)) {
      reply.header('access-control-allow-origin', open ? '*' : origin)
      if (cors.allow_credentials && !open) reply.header('access-control-allow-credentials', 'true')
    }
    const preflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method']
    if (!preflight) return done()
    reply
      .status(200)
      .headers({
        'access-control-allow-methods': cors.allow_methods.join(', '),
        'access-control-allow-headers': cors.allow_headers.join(', '),
        'access-control-max-age': String(cors.max_age),
      })
      .send()
  })
}
