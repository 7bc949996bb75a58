import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../context.ts'
import { readRemoteAddress } from './address.ts'
import type { Address } from './outside.ts'

// An import of it would also load the client of its own that it comes with, at each start, for
// nothing.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

export interface OutsideRequest {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  /** What comes piece by piece needs its length in the headers. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** For everything together, from looking up the name to the last byte. */
  readonly timeLimitMs?: number
  /** Of the answer; what is beyond is not read. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export interface OutsideAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Whether the answer has more than was read. */
  readonly isCut: boolean
}

const TIME_LIMIT_MS = 10_000
const MAX_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024

/**
 * One request to another server, at an address that has been checked. A redirect is an answer like
 * any other: nobody follows it.
 */
export async function fetchOutside(
  ctx: Pick<Context, 'outside'>,
  address: string,
  request: OutsideRequest = {},
): Promise<OutsideAnswer> {
  return readAnswer(await openOutside(ctx, address, request), request.maxBytes ?? MAX_BYTES)
}

/** Like `fetchOutside`, for an answer of any size: whoever gets it reads it, or destroys it. */
export async function openOutside(
  { outside }: Pick<Context, 'outside'>,
  address: string,
  request: Omit<OutsideRequest, 'maxBytes'>,
): Promise<IncomingMessage> {
  const { url, username, password } = readRemoteAddress(address)
  const limit = AbortSignal.timeout(request.timeLimitMs ?? TIME_LIMIT_MS)
  const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit
  const addresses = await orAborted(outside.locate(url), signal)
  return send(url, request, {
    method: request.method ?? 'GET',
    headers: request.headers ?? {},
    signal,
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    lookup: (_host, options, found) => answerLookup(addresses, options.all ?? false, found),
    ...(username === '' ? {} : { auth: `${username}:${password}` }),
  })
}

type Found = Parameters<NonNullable<RequestOptions['lookup']>>[2]

/** The name has been looked up already. */
function answerLookup(addresses: readonly Address[], all: boolean, found: Found): void {
  if (all) return found(null, [...addresses])
  const [first] = addresses
  found(null, first?.address ?? '', first?.family ?? 4)
}

async function send(
  url: URL,
  { body }: OutsideRequest,
  options: RequestOptions,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const start = url.protocol === 'https:' ? https.request : http.request
  const request = start(url, options).once('response', resolve).on('error', reject)
  if (typeof body === 'object' && Symbol.asyncIterator in body) {
    // A server may answer before it has all, and close.
    pipeline(body, request).catch(reject)
  } else request.end(body)
  return promise
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<OutsideAnswer> {
  const { statusCode: status = 0, headers } = response
  const chunks: Buffer[] = []
  let left = maxBytes
  let isCut = false
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, left))
    isCut = chunk.length > left
    left -= chunk.length
    // Leaving the loop closes the connection.
    if (left <= 0 && isCut) break
  }
  return { status, headers, body: Buffer.concat(chunks), isCut }
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(signal.reason as Error)
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
