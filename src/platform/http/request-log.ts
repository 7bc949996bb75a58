import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressForLog, textForLog } from '../audit.ts'
import type { Config } from '../config/config.ts'
import { pathOf } from './path.ts'
import { traceOfRequest } from './request-ids.ts'

const MAX_USER_AGENT = 200

/** What had passed over a connection when its last answer was complete. */
interface Passed {
  readonly sent: number
  readonly received: number
}

const passed = new WeakMap<Socket, Passed>()
const ofResponse = new WeakMap<ServerResponse, Passed>()

/** As nginx has it: the client closed the connection before anything was answered. */
const CLIENT_CLOSED = 499

declare module 'fastify' {
  interface FastifyRequest {
    isLogged: boolean
  }
}

/** One line for each request; also for one whose client was gone before its answer was complete. */
export function logRequests(server: FastifyInstance, config: Config): void {
  if (!config.log.requests || !['trace', 'debug', 'info'].includes(config.log.level)) return
  server.decorateRequest('isLogged', false)
  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    // Before Node begins with the next answer of the connection.
    raw.prependOnceListener('finish', countPassed)
    raw.once('close', () => {
      if (!raw.writableFinished) countPassed.call(raw)
      writeLine(request, reply)
    })
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    writeLine(request, reply)
    done()
  })
}

function countPassed(this: ServerResponse): void {
  const { socket } = this.req
  // What tests send without a connection has no such counts.
  if (typeof socket.bytesWritten !== 'number') return
  const before = passed.get(socket) ?? { sent: 0, received: 0 }
  const now = { sent: socket.bytesWritten, received: socket.bytesRead }
  passed.set(socket, now)
  ofResponse.set(this, { sent: now.sent - before.sent, received: now.received - before.received })
}

/** The query stays out of it: it may hold a token. */
function writeLine(request: FastifyRequest, reply: FastifyReply): void {
  if (request.isLogged) return
  request.isLogged = true
  const { writableFinished: isComplete, headersSent } = reply.raw
  const bytes = ofResponse.get(reply.raw)
  const userAgent = request.headers['user-agent']
  request.log.info(
    {
      reqId: request.id,
      traceId: traceOfRequest(request.raw),
      address: addressForLog(request.ip),
      method: request.method,
      path: pathOf(request),
      status: isComplete || headersSent ? reply.statusCode : CLIENT_CLOSED,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      bytes: bytes?.sent,
      received: bytes?.received,
      account: request.caller?.account?.name,
      userAgent: userAgent === undefined ? undefined : textForLog(userAgent, MAX_USER_AGENT),
      aborted: isComplete ? undefined : true,
    },
    'request',
  )
}
