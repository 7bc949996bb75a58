import type { IncomingMessage } from 'node:http'
import type { Static, TObject } from 'typebox'
import { AppError, invalid } from '../errors.ts'
import { PaceKeeper } from '../storage/bytes.ts'
import { bind, bindForm } from './binding.ts'
import { readTexts } from './multipart.ts'
import { JsonError, parseJson, type ParsedJson } from './strict-json.ts'

/**
 * Reads and checks the body. Handlers call it when everything that does not depend on the body has
 * been decided, so that nobody makes us read what we refuse anyway.
 */
export async function readBody<T extends TObject>(
  request: IncomingMessage,
  schema: T,
  maxBytes: number,
): Promise<Static<T>> {
  const type = (request.headers['content-type'] ?? '').toLowerCase()
  if (type === '') return bindWithoutType(request, schema)
  if (isUrlEncoded(type)) {
    return bindForm(schema, pool(await readForm(request, maxBytes), queryOf(request)))
  }
  if (type.includes('multipart/form-data')) {
    return bindForm(schema, await readMultipart(request, maxBytes))
  }
  if (!type.includes('json')) throw invalid('[]: Unsupported Content-Type')
  const { value, written } = await readJson(request, maxBytes)
  // 5.0 is no integer, though nobody sees that once it is read.
  if (written !== value) bind(schema, written ?? {})
  // `null` equals absence, of the whole body too.
  return bind(schema, value ?? {})
}

export function isUrlEncoded(type: string): boolean {
  return /form-urlencoded/i.test(type)
}

/** Like `readBody`, where a body may be left out altogether. */
export async function readOptionalBody<T extends TObject>(
  request: IncomingMessage,
  schema: T,
  maxBytes: number,
): Promise<Static<T>> {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers
  if (chunked === undefined && (length ?? '0') === '0') return bind(schema, {})
  return readBody(request, schema, maxBytes)
}

/** Rights may change in more time than this. */
const LATE_MS = 100

/** What came late, for when it is asked for again. */
const late = new WeakMap<IncomingMessage, Buffer>()

/** Whether rights that were asked for before the body are to be asked for again. */
export function cameLate(request: IncomingMessage): boolean {
  return late.has(request)
}

export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const kept = late.get(request)
  if (kept) return kept
  const began = performance.now()
  const bytes = await takeBytes(request, maxBytes)
  if (performance.now() - began > LATE_MS) late.set(request, bytes)
  return bytes
}

async function takeBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const tooLarge = () => new AppError('too_large', `request body is larger than ${maxBytes} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  // Of what has happened before, no event tells.
  if (request.readableEnded) return Buffer.alloc(0)
  if (request.destroyed) throw clientIsGone()
  const whole = wholeOf(request)
  if (whole) return whole
  const chunks: Buffer[] = []
  const pace = new PaceKeeper()
  let seen = 0
  // By its events: to iterate over a request costs more than to read a small one.
  const onData = (chunk: Buffer) => {
    seen += chunk.length
    chunks.push(chunk)
    const inPace = pace.take(chunk.length)
    if (seen <= maxBytes && inPace) return
    request.off('data', onData).pause()
    reject(inPace ? tooLarge() : tooSlow())
  }
  request
    .on('data', onData)
    .once('end', () => resolve(Buffer.concat(chunks)))
    .once('error', reject)
    .once('close', () => request.complete || reject(clientIsGone()))
  return promise
}

/**
 * A body that has come with its head is there already; to wait for its events would take longer
 * than to read it.
 */
function wholeOf(request: IncomingMessage): Buffer | undefined {
  const length = Number(request.headers['content-length'])
  return length > 0 && request.readableLength === length ? (request.read() as Buffer) : undefined
}

export function tooSlow(): AppError {
  return new AppError('too_slow', 'the request body comes too slowly')
}

/** What Node says of a request that ends early; also when nobody listened at that moment. */
function clientIsGone(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

/** PATCH and DELETE then take their fields from the query. */
function bindWithoutType<T extends TObject>(request: IncomingMessage, schema: T): Static<T> {
  if (request.method !== 'PATCH' && request.method !== 'DELETE') {
    throw invalid('[]: Empty Content-Type')
  }
  return bindForm(schema, queryOf(request))
}

/** No text has a NUL in it. */
function queryOf(request: IncomingMessage): URLSearchParams {
  const { url = '' } = request
  const at = url.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : url.slice(at).replaceAll('%00', ''))
}

/** The fields of a form and of the query are one; of a field in both the first counts. */
function pool(first: URLSearchParams, second: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...first, ...second])
}

async function readJson(request: IncomingMessage, maxBytes: number): Promise<ParsedJson> {
  const bytes = await readBytes(request, maxBytes)
  // Some clients call everything JSON, also the nothing that comes with a DELETE.
  if (request.method === 'DELETE' && bytes.toString().trim() === '') {
    return { value: undefined, written: undefined }
  }
  try {
    return parseJson(bytes)
  } catch (error) {
    if (error instanceof JsonError) throw invalid(`[]: ${error.message}`, { cause: error })
    throw error
  }
}

/**
 * The contract looks at a form that is posted by itself, and at any other as at a body: in this
 * they differ.
 */
async function readMultipart(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  const { method, headers } = request
  const body = await readBytes(request, maxBytes)
  try {
    const texts = await readTexts(headers['content-type'] ?? '', body)
    return method === 'POST' ? pool(queryOf(request), texts) : pool(texts, queryOf(request))
  } catch (error) {
    if (method === 'POST') throw error
    throw invalid(`[]: ${(error as Error).message}`, { cause: error })
  }
}

/** What has been read of a form, to see who sends it or as a body, is there for the other. */
const forms = new WeakMap<IncomingMessage, Promise<URLSearchParams>>()

export async function readForm(
  request: IncomingMessage,
  maxBytes: number,
): Promise<URLSearchParams> {
  const form = forms.get(request) ?? parseForm(request, maxBytes)
  forms.set(request, form)
  return form
}

async function parseForm(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  const text = (await readBytes(request, maxBytes)).toString('utf8')
  if (text.includes('\0') || /%00/.test(text)) throw invalid('[]: invalid character U+0000')
  return new URLSearchParams(text)
}
