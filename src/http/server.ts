import { randomUUID } from 'node:crypto'
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { Caller, Context } from '../context.ts'
import type { Answer } from './answer.ts'
import { Api, type Route } from './api.ts'
import { Call } from './call.ts'
import { assertAdmitted, identify } from './caller.ts'
import { addContinue } from './continue.ts'
import { addCompression } from './compression.ts'
import { addCors } from './cors.ts'
import { sendError } from './errors.ts'
import { answerOnce } from './once.ts'
import { writeJson } from './writer.ts'

export const API_PREFIX = '/api/v1'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

export interface ServerParts {
  /** Registers the addresses of the API. */
  readonly api: (api: Api, ctx: Context) => void
  /** Registers what lies outside /api/v1. */
  readonly pages: (server: FastifyInstance, ctx: Context, api: Api) => void
  /** Looks at each record before it is sent; tests compare it with its schema there. */
  readonly onAnswer?: (route: Route, answer: Answer) => void
}

export function buildServer(ctx: Context, parts: ServerParts): FastifyInstance {
  const { trusted_proxies, idle_timeout } = ctx.config.server
  const server = fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than most requests; their lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: trusted_proxies.length > 0 ? [...trusted_proxies] : false,
    forceCloseConnections: 'idle',
    connectionTimeout: idle_timeout * 1000,
    requestTimeout: 0,
    exposeHeadRoutes: true,
    rewriteUrl: (request) => cleanUrl(request.url ?? '/'),
    routerOptions: { maxParamLength: 4096, caseSensitive: true, ignoreTrailingSlash: false },
    frameworkErrors: (_error, _request, reply) => sendUnrouted(reply as FastifyReply),
  })
  // Handlers read bodies themselves, once they know that they want them.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    server.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  server.decorateRequest('caller', undefined)
  addContinue(server)
  server.addHook('onRequest', setCommonHeaders)
  if (ctx.config.log.requests) server.addHook('onResponse', logRequest)
  if (ctx.config.cors.enabled) addCors(server, ctx.config)
  if (ctx.config.server.gzip) addCompression(server)
  server.setErrorHandler((error, request, reply) =>
    sendError(ctx, error, request, reply, request.caller),
  )

  const api = new Api()
  parts.api(api, ctx)
  for (const route of api.routes) addRoute(server, ctx, route, parts)
  parts.pages(server, ctx, api)
  server.setNotFoundHandler((request, reply) => sendNotFound(api, request, reply))
  return server
}

function addRoute(
  server: FastifyInstance,
  ctx: Context,
  route: Route,
  { onAnswer }: ServerParts,
): void {
  const { method, path, endpoint, handler } = route
  const hasParameters = path.includes(':')
  server.route({
    method,
    url: API_PREFIX + path.replace(/\*\w+$/, '*'),
    handler: async (request, reply) => {
      if (hasParameters && hasEmptyParameter(request)) return sendUnrouted(reply)
      const caller = await identify(ctx, request, reply)
      request.caller = caller
      assertAdmitted(endpoint, caller, request)
      const call = new Call(ctx, request, reply, caller)
      const answer = await answerOnce(ctx, endpoint, caller, request, () => handler(call))
      onAnswer?.(route, answer)
      return sendAnswer(reply, answer, endpoint.answers[answer.status])
    },
  })
}

/** The router takes a trailing slash for a parameter without a value; such a path is no address of ours. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  return Object.entries(params as Record<string, string>).some(
    ([name, value]) => value === '' && name !== '*',
  )
}

function sendAnswer(
  reply: FastifyReply,
  { status, body, headers }: Answer,
  schema: TSchema | string | undefined,
): FastifyReply {
  reply.status(status)
  if (headers) reply.headers(headers)
  if (schema === undefined) throw new Error(`the endpoint declares no answer with status ${status}`)
  const isRecord = typeof schema !== 'string' && headers?.['content-type'] === undefined
  if (body === undefined || !isRecord) return reply.send(body)
  reply.header('content-type', 'application/json;charset=utf-8')
  return reply.send(writeJson(schema, body))
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers({
    'cache-control': 'max-age=0, private, must-revalidate',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-request-id': request.id,
  })
  // A refused upload is not read to its end only to keep the connection.
  if (hasLargeBody(request)) reply.header('connection', 'close')
  done()
}

function hasLargeBody({ headers }: FastifyRequest): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 65_536
  )
}

/** One line a request. The query stays out of it: it may hold a token. */
function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const [path] = request.url.split('?')
  request.log.info(
    {
      reqId: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      account: request.caller?.account?.name,
    },
    'request',
  )
  done()
}

function sendNotFound(api: Api, request: FastifyRequest, reply: FastifyReply): void {
  const [path = ''] = request.url.split('?')
  const methods = path.startsWith(`${API_PREFIX}/`)
    ? api.methodsAt(path.slice(API_PREFIX.length))
    : []
  if (methods.length === 0) return sendUnrouted(reply)
  reply.status(405).header('allow', methods).send()
}

function sendUnrouted(reply: FastifyReply): void {
  reply.status(404).header('content-type', 'text/plain; charset=utf-8').send('404 page not found\n')
}

/** Some clients join a base URL and a path with two slashes. No name contains a NUL, so such a path leads nowhere. */
function cleanUrl(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (path.includes('%00')) return '/%00'
  if (!path.includes('//')) return url
  return path.replace(/\/{2,}/g, '/') + (end === -1 ? '' : url.slice(end))
}
