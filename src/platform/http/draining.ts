import type { FastifyInstance } from 'fastify'

/**
 * Whether this process is about to stop. It still answers for a while, so that load balancers
 * notice and send everything elsewhere.
 */
export class Draining {
  #hasBegun = false

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  begin(): void {
    this.#hasBegun = true
  }

  /** Clients that keep a connection are told to open the next one. */
  closeConnectionsOf(server: FastifyInstance): void {
    server.addHook('onRequest', (_request, reply, done) => {
      if (this.#hasBegun) reply.header('connection', 'close')
      done()
    })
  }
}
