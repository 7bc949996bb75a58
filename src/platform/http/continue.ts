import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * A client that asks before it sends its body (Expect: 100-continue) is told to go on when a
 * handler begins to read it: one that is refused has sent nothing for nothing.
 */
export function addContinue({ server }: FastifyInstance): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const onListener = (event: string | symbol) => {
      if (event !== 'data' && event !== 'readable') return
      request.off('newListener', onListener)
      if (!response.headersSent) response.writeContinue()
    }
    request.on('newListener', onListener)
    server.emit('request', request, response)
  })
}
