import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath, baseUrl } from '../config/urls.ts'
import { isSiteAdmin, type Caller, type Context } from '../context.ts'
import { DatabaseGone, Deadlocked } from '../db/unavailable.ts'
import { StorageAway } from '../storage/mark.ts'
import { isNotThereYet } from '../git/not-there.ts'
import { isStorageFull } from '../storage/disk-room.ts'
import { AppError, Moved, type AppErrorOptions, type ErrorCode, type Renamed } from '../errors.ts'
import { isGone } from './gone.ts'

export const statuses: Record<ErrorCode, number> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  locked: 423,
  too_large: 413,
  url_too_long: 414,
  too_slow: 408,
  upload_failed: 500,
  insufficient_storage: 507,
  invalid: 422,
  too_many_requests: 429,
  unavailable: 503,
}

/** Fastify's own errors carry a status. */
interface FrameworkError {
  readonly statusCode?: number
  readonly code?: string
}

/**
 * A failure becomes an answer: as the API tells it, and all others what they have no words of their
 * own for.
 */
export function sendError(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | undefined,
): void {
  if (error instanceof Moved) return sendMoved(ctx, error, request, reply)
  if (isClientGone(error)) return void reply.hijack()
  const { status, message } = beginFailure(request, reply, error, caller)
  if (error instanceof AppError) {
    if (error.empty) return void reply.status(status).send()
    if (error.plain) return sendText(reply, status, error.message)
    return sendMessage(ctx, reply, status, message, error)
  }
  if (status === 500 && isSearch(request)) return sendSearchFailure(reply, message)
  return sendMessage(ctx, reply, status, message)
}

/** What is told of a failure. */
export interface Failure {
  readonly status: number
  /** Of what went wrong inside, for administrators alone. */
  readonly message: string
  /** In seconds. */
  readonly retryAfter?: number | undefined
}

export function failureOf(error: unknown, caller: Caller | undefined): Failure {
  if (error instanceof AppError) {
    const message = isHidden(error, caller) ? '' : error.message
    return { status: statuses[error.code], message, retryAfter: error.retryAfter }
  }
  const { message } = error as Error
  const status = statusOf(error)
  if (status < 500) return { status, message }
  if (isStorageFull(error)) {
    return { status: statuses.insufficient_storage, message: 'insufficient storage' }
  }
  if (isNotThereYet(error)) {
    const said = 'the repository is not there yet, or not all of it'
    return { status: statuses.unavailable, message: said, retryAfter: 1 }
  }
  if (hasNoRoomToRun(error)) {
    return { status: statuses.unavailable, message: 'too much is being done', retryAfter: 1 }
  }
  if (hasTooManyFiles(error)) {
    return { status: statuses.unavailable, message: 'too many files are open', retryAfter: 1 }
  }
  return { status: 500, message: caller && isSiteAdmin(caller) ? message : '' }
}

/**
 * What all answers to a failure begin with, whatever they are written as: the status, and what a
 * client is to do next.
 */
export function beginFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  caller = request.caller,
): Failure {
  noteFault(request, reply, error)
  const failure = failureOf(error, caller)
  const { status, retryAfter } = failure
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)))
  // The rest of the body is not waited for.
  if (status === statuses.too_slow) reply.header('connection', 'close')
  reply.status(status)
  return failure
}

/** The log tells what nobody meant to happen. */
function noteFault(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const isFault =
    error instanceof AppError
      ? [DatabaseGone, Deadlocked, StorageAway].some((kind) => error instanceof kind)
      : statusOf(error) >= 500
  if (!isFault) return
  const about = { err: error, reqId: request.id }
  // What was read for a client may break off with it.
  if (isReading(request) && isGone(reply.raw)) request.log.info(about, 'request failed, unheard')
  else request.log.error(about, 'request failed')
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Of an error that is not ours; less than 500 where whoever asks is at fault. */
function statusOf(error: unknown): number {
  const { statusCode = 500 } = error as FrameworkError
  return statusCode >= 400 ? statusCode : 500
}

/** The machine has as many processes as it may have, or the one that starts ours is gone. */
function hasNoRoomToRun(error: unknown): boolean {
  return ['EAGAIN', 'ENOMEM'].includes(String((error as FrameworkError).code))
}

/** The process, or the machine, has as many descriptors as it may have. */
function hasTooManyFiles(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(String((error as FrameworkError).code))
}

/** Searches that tell `ok` when they succeed tell it when they fail. */
function isSearch(request: FastifyRequest): boolean {
  return /^\/api\/v1\/(?:repos|users|orgs\/:org\/teams)\/search$/.test(request.pattern ?? '')
}

function sendSearchFailure(reply: FastifyReply, detail: string): void {
  reply
    .status(500)
    .header('content-type', 'application/json;charset=utf-8')
    .send(JSON.stringify({ ok: false, error: detail || 'the search failed' }))
}

/** What went wrong inside is for administrators. */
function isHidden({ code }: AppError, caller: Caller | undefined): boolean {
  return statuses[code] === 500 && !(caller && isSiteAdmin(caller))
}

export function sendText(reply: FastifyReply, status: number, text: string): void {
  reply.status(status).header('content-type', 'text/plain; charset=utf-8').send(text)
}

function sendMessage(
  ctx: Context,
  reply: FastifyReply,
  status: number,
  message: string,
  { bare = false, details }: Pick<AppErrorOptions, 'bare' | 'details'> = {},
): void {
  const rest = details ?? (bare ? {} : { url: `${baseUrl(ctx.config)}/api/swagger` })
  reply
    .status(status)
    .header('content-type', 'application/json;charset=utf-8')
    .send(JSON.stringify({ message, ...rest }))
}

/** A GET also gets the page that older clients expect. */
function sendMoved(ctx: Context, moved: Moved, request: FastifyRequest, reply: FastifyReply): void {
  const status = moved.kind === 'account' ? 307 : 301
  const target = movedTo(ctx, moved, request)
  reply.status(status).header('location', target)
  if (request.method !== 'GET' && request.method !== 'HEAD') return void reply.send()
  sendLink(reply, target, status === 307 ? 'Temporary Redirect' : 'Moved Permanently')
}

/** The path and query of the request, with the new name in them. */
export function movedTo(ctx: Context, moved: Moved, request: FastifyRequest): string {
  const [path = '', query] = request.url.split('?')
  const segments = renameSegments(path.split('/'), patternOf(request), moved.segments)
  return basePath(ctx.config) + segments.join('/') + (query === undefined ? '' : `?${query}`)
}

/** What a redirect shows to those who do not follow it. */
export function sendLink(reply: FastifyReply, target: string, label: string): FastifyReply {
  const escaped = target.replaceAll('&', '&amp;').replaceAll('"', '&#34;').replaceAll('<', '&lt;')
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .send(`<a href="${escaped}">${label}</a>.\n\n`)
}

/** Each new name takes the place of the first parameter of that value after the one before it. */
function renameSegments(
  path: readonly string[],
  pattern: readonly string[],
  renamed: readonly Renamed[],
): readonly string[] {
  const segments = [...path]
  let after = 0
  for (const { from, to } of renamed) {
    const at = segments.findIndex(
      (segment, index) =>
        index >= after &&
        pattern[index]?.startsWith(':') &&
        nameIn(segment, pattern[index]).name.toLowerCase() === from.toLowerCase(),
    )
    if (at === -1) continue
    segments[at] = encodeURIComponent(to) + nameIn(segments[at] ?? '', pattern[at]).ending
    after = at + 1
  }
  return segments
}

/**
 * What stands behind a name that has no such ending itself: for git, the wiki, news readers, and
 * those who fetch keys.
 */
const endings: Readonly<Record<string, RegExp>> = {
  ':repo': /(?:(?:\.wiki)?(?:\.git)?|\.atom|\.rss)$/,
  ':name': /(?:\.atom|\.rss|\.keys|\.gpg)?$/,
}

function nameIn(segment: string, parameter = '') {
  const text = decodeSegment(segment)
  const [ending = ''] = endings[parameter]?.exec(text) ?? []
  return { name: text.slice(0, text.length - ending.length), ending }
}

function patternOf(request: FastifyRequest): readonly string[] {
  return (request.pattern ?? request.routeOptions.url ?? '').split('/')
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The connection broke while the body was being read: there is nobody to answer. */
export function isClientGone(error: unknown): boolean {
  const { code } = error as FrameworkError
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}
