import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
} from 'fastify'
import type { TSchema } from 'typebox'
import { withOrigin } from '../audit.ts'
import type { Caller, Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { limitConnections } from '../network/connections.ts'
import { guardServer } from '../network/guard.ts'
import type { Answer } from './answer.ts'
import { Api, type Endpoint, type Route } from './api.ts'
import { Call, LateBody } from './call.ts'
import { addContinue } from './continue.ts'
import { addCompression } from './compression.ts'
import { addCors } from './cors.ts'
import type { Draining } from './draining.ts'
import { sendError, sendLink } from './errors.ts'
import { addFilesHost } from './files-host.ts'
import { tidyForwarded } from './forwarded.ts'
import { hangUpAfter } from './hang-up.ts'
import { assertReadable } from './multipart.ts'
import { limitPipelining } from './pipelining.ts'
import { answerOnce } from './once.ts'
import { pathOf } from './path.ts'
import { requestIds } from './request-ids.ts'
import { logRequests } from './request-log.ts'
import { addRequestPlaces } from './request-places.ts'
import { Router } from './router.ts'
import { writeJson } from './writer.ts'

const API_PREFIX = '/api/v1'
/** Room for a file name of 10,000 characters, which is cut and not refused. */
const MAX_URL_BYTES = 12 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** How much the viewer of a page has not read. */
    unread: number
    /** The address of the API or of a page, with its parameters as `:name`. */
    pattern: string | undefined
  }
}

/** Who is calling: this kit knows no accounts. */
export interface Callers {
  readonly identify: (
    ctx: Context,
    request: FastifyRequest,
    reply: FastifyReply,
    endpoint: Endpoint,
  ) => Promise<Caller>
  /** As it is now, after a body that took its time to arrive. */
  readonly identifyAgain: (ctx: Context, caller: Caller) => Promise<Caller>
  /** Throws what the endpoint asks of a credential and this caller has not. */
  readonly assertAdmitted: (endpoint: Endpoint, caller: Caller, request: FastifyRequest) => void
  /** The account of this id as a caller; 0 is nobody. Undefined where it may not be used. */
  readonly callerFor: (ctx: Context, accountId: number) => Promise<Caller | undefined>
}

export interface ServerParts {
  readonly callers: Callers
  /** Runs the handler of a route. */
  readonly handle: (ctx: Context, route: Route, call: Call) => Promise<Answer>
  /** Registers the addresses of the API. */
  readonly api: (api: Api, ctx: Context) => void
  /**
   * Registers what lies outside /api/v1, and gives what answers there where nothing is registered.
   */
  readonly outside: (server: FastifyInstance, api: Api) => AnswerPage
  readonly draining: Draining
  /** Looks at each record before it is sent; tests compare it with its schema there. */
  readonly onAnswer?: (route: Route, answer: Answer) => void
}

export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Bodies are read and records written by our own code; the framework's compilers would only take
 * time to load.
 */
const noCompilers = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

function refuseSchema(): never {
  throw new Error('schemas are not given to the framework')
}

export function buildServer(ctx: Context, parts: ServerParts): FastifyInstance {
  const { trusted_proxies, idle_timeout, header_timeout } = ctx.config.server
  const server = fastify({
    loggerInstance: withoutChildren(ctx.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(trusted_proxies),
    trustProxy: trusted_proxies.length > 0 ? [...trusted_proxies] : false,
    forceCloseConnections: 'idle',
    // What still comes on a connection that was open before the stop is answered.
    return503OnClosing: false,
    connectionTimeout: idle_timeout * 1000,
    requestTimeout: 0,
    http: { headersTimeout: header_timeout * 1000 },
    exposeHeadRoutes: true,
    rewriteUrl: (request) => cleanUrl(request.url ?? '/'),
    schemaController: { compilersFactory: noCompilers },
    routerOptions: { maxParamLength: 4096, caseSensitive: true, ignoreTrailingSlash: false },
    frameworkErrors: (_error, _request, reply) => sendUnrouted(reply as FastifyReply),
  })
  // Handlers read bodies themselves, once they know that they want them.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    server.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  server.decorateRequest('caller', undefined)
  server.decorateRequest('unread', 0)
  server.decorateRequest('pattern', undefined)
  limitPipelining(server.server)
  guardServer(server.server, ctx.log)
  addContinue(server)
  limitConnections(server.server, ctx.config.server)
  if (trusted_proxies.length > 0) server.addHook('onRequest', tidyForwarded)
  server.addHook('onRequest', (request, _reply, done) => withOrigin(request, done))
  server.addHook('onRequest', setCommonHeaders)
  parts.draining.closeConnectionsOf(server)
  server.addHook('onRequest', assertShortUrl)
  server.addHook('onRequest', assertPlainHeaders)
  addRequestPlaces(server)
  logRequests(server, ctx.config)
  addFilesHost(server, ctx, parts.callers)
  if (ctx.config.cors.enabled) addCors(server, ctx.config)
  if (ctx.config.server.gzip) addCompression(server)
  server.setErrorHandler((error, request, reply) =>
    sendError(ctx, error, request, reply, request.caller),
  )

  const api = new Api()
  parts.api(api, ctx)
  const router = new Router(api.routes)
  addApi(server, ctx, router, parts)
  const answerPage = parts.outside(server, api)
  server.setNotFoundHandler(async (request, reply) => {
    if (!isOfApi(request)) return answerPage(request, reply)
    sendNotFound(router, request, reply)
    return reply
  })
  return server
}

/**
 * A logger for each request would cost more than most requests; their lines name the request
 * themselves.
 */
function withoutChildren(log: Context['log']): Context['log'] {
  const shared = Object.create(log) as Context['log']
  shared.child = () => shared
  return shared
}

/** One address for the framework; ours are found behind it. */
function addApi(
  server: FastifyInstance,
  ctx: Context,
  router: Router<Route>,
  { callers, handle: run, onAnswer }: ServerParts,
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const match = router.find(request.method, pathOf(request).slice(API_PREFIX.length))
    if (!match) return sendNotFound(router, request, reply)
    const { route } = match
    request.pattern = API_PREFIX + route.path
    request.params = match.parameters
    assertReadable(request.method, request.headers['content-type'])
    const handle = async (caller: Caller, isAgain: boolean) => {
      request.caller = caller
      callers.assertAdmitted(route.endpoint, caller, request)
      return answerOnce(ctx, route.endpoint, caller, request, (begin) =>
        run(ctx, route, new Call(ctx, request, reply, caller, { begin, isAgain })),
      )
    }
    const caller = await callers.identify(ctx, request, reply, route.endpoint)
    const given = await handle(caller, false).catch(async (error: unknown) => {
      if (error instanceof LateBody) return handle(await callers.identifyAgain(ctx, caller), true)
      throw error
    })
    onAnswer?.(route, given)
    sendAnswer(reply, given, route.endpoint.answers[given.status])
  }
  server.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: `${API_PREFIX}/*`,
    // Given a promise, the framework would watch each answer until it is sent.
    handler: (request, reply) => {
      answer(request, reply).catch((error: unknown) => reply.send(error))
    },
  })
}

function sendAnswer(
  reply: FastifyReply,
  { status, body, headers }: Answer,
  schema: TSchema | string | undefined,
): void {
  reply.status(status)
  if (headers) reply.headers(headers)
  if (schema === undefined) throw new Error(`the endpoint declares no answer with status ${status}`)
  const { location } = headers ?? {}
  if (status === 303 && location !== undefined) {
    sendLink(reply, location, 'See Other')
  } else if (body === undefined || !isRecord(schema, headers)) {
    reply.send(body)
  } else {
    reply.header('content-type', 'application/json;charset=utf-8').send(writeJson(schema, body))
  }
}

function isRecord(schema: TSchema | string, headers: Answer['headers']): schema is TSchema {
  return typeof schema !== 'string' && headers?.['content-type'] === undefined
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
  if (hasLargeBody(request)) hangUpAfter(request.raw, reply)
  done()
}

function assertShortUrl(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const isLong = request.url.length > MAX_URL_BYTES
  done(
    isLong
      ? new AppError('url_too_long', `the address is longer than ${MAX_URL_BYTES} bytes`)
      : undefined,
  )
}

/** Of two of these a proxy may believe one, and Node the other. */
const single = new Set(['host', 'authorization'])

function assertPlainHeaders(
  { raw }: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const names = raw.rawHeaders
    .filter((_value, at) => at % 2 === 0)
    .map((name) => name.toLowerCase())
  const doubled = names.find((name, at) => single.has(name) && names.indexOf(name) !== at)
  done(doubled ? new AppError('bad_request', `there are two headers ${doubled}`) : undefined)
}

function hasLargeBody({ headers }: FastifyRequest): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 65_536
  )
}

function sendNotFound(router: Router<Route>, request: FastifyRequest, reply: FastifyReply): void {
  const methods = router.methodsAt(pathOf(request).slice(API_PREFIX.length))
  if (methods.length === 0) return sendUnrouted(reply)
  reply.status(405).header('allow', methods).send()
}

function isOfApi(request: FastifyRequest): boolean {
  return pathOf(request).startsWith(`${API_PREFIX}/`)
}

/** For programs. */
export function sendUnrouted(reply: FastifyReply): void {
  reply.status(404).header('content-type', 'text/plain; charset=utf-8').send('404 page not found\n')
}

/**
 * Some clients join a base URL and a path with two slashes, and those that think us a proxy send
 * the whole address. No name contains a NUL, so such a path leads nowhere.
 */
function cleanUrl(sent: string): string {
  const url = sent.startsWith('/') ? sent : sent.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '')
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (path.includes('%00')) return '/%00'
  if (!path.includes('//')) return url
  return path.replace(/\/{2,}/g, '/') + (end === -1 ? '' : url.slice(end))
}
