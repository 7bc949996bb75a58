import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Guard } from '../network/guard.ts'

/** How long what still comes is thrown away. */
const LINGER_MS = 10_000

/**
 * The answer is the last on its connection, whether the body has come or not. A client that finds
 * the connection closed while it sends never reads why, so the rest of what it sends is taken for a
 * while after the answer.
 */
export function hangUpAfter(request: IncomingMessage, reply: FastifyReply): void {
  reply.header('connection', 'close')
  const { socket } = request
  const guard = new Guard(reply.log, () => socket.destroy())
  // Node calls it when the last answer is sent.
  socket.destroySoon = guard.around(() => {
    request.resume()
    socket.end()
    const giveUp = guard.around(() => socket.destroy())
    const timer = setTimeout(giveUp, LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  })
}
