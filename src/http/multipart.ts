import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { UploadError } from '../attachments/upload-error.ts'
import { AppError } from '../errors.ts'

const limits = { parts: 10, fieldSize: 4096, headerSize: 8192, headerPairs: 32 }
const MAX_BOUNDARY = 70
/** From the last byte of a form to its end. */
const PARSING_MS = 250

export function isMultipart(type: string): boolean {
  return /^multipart\/form-data/i.test(type)
}

export function malformedForm(cause?: unknown): AppError {
  return new AppError('upload_failed', 'failed to parse request multipart form', {
    plain: true,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** A form without a boundary is nothing, whoever posts it: no byte of it needs to be read to see that. */
export function assertReadable(method: string, type = ''): void {
  if (method === 'POST' && isMultipart(type)) assertBoundary(type)
}

function assertBoundary(type: string): void {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain ?? ''
  if (boundary === '' || boundary.length > MAX_BOUNDARY) throw malformedForm()
}

/** The texts of a form; what it has of files is left out. */
export async function readTexts(type: string, body: Buffer): Promise<URLSearchParams> {
  const texts = new URLSearchParams()
  const parser = parserFor(type, { fieldSize: body.length })
  parser.on('field', (name, value) => texts.append(name, value.replaceAll('\0', '')))
  parser.on('file', (_name, file) => void ignore(file).resume())
  await parsed(Readable.from([body]), parser)
  return texts
}

export interface FormFile {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
}

export interface WantedFile {
  readonly field: string
  /** Of the whole form. */
  readonly maxBytes: number
}

/**
 * Gives the first file of the form that is called `field` to `take` as it arrives, and reads the form to its end.
 * Should that fail after all, `undo` gets what was taken. Without such a file nothing is taken.
 */
export async function takeFile<T>(
  request: IncomingMessage,
  { field, maxBytes }: WantedFile,
  take: (file: FormFile) => Promise<T>,
  undo: (taken: T) => Promise<void>,
): Promise<T | undefined> {
  const parser = parserFor(request.headers['content-type'] ?? '')
  let taken: Promise<T> | undefined
  let current: BusboyFileStream | undefined
  const failed = Promise.withResolvers<never>()
  parser.on('file', (name, file, filename) => {
    ignore(file)
    if (taken || name !== field) return void file.resume()
    current = file
    taken = take({ name: filename, content: file })
    taken.catch(failed.reject)
  })
  const end = parsed(request, parser, { maxBytes, busy: () => taken })
  end.catch((error: Error) => current?.destroy(error))
  try {
    await Promise.race([end, failed.promise])
    return await taken
  } catch (error) {
    request.unpipe(parser)
    await taken?.then(undo, () => undefined)
    throw error
  }
}

/** A form that breaks off breaks the file in it: whoever reads that hears of it, and nobody else need. */
function ignore(file: BusboyFileStream): BusboyFileStream {
  return file.on('error', () => undefined)
}

interface Parsing {
  readonly maxBytes?: number
  /** What is still being done with a file of the form. */
  readonly busy?: () => Promise<unknown> | undefined
}

/** Until all of the form has been read. */
function parsed(
  source: Readable,
  parser: Busboy,
  { maxBytes = Infinity, busy = () => undefined }: Parsing = {},
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let seen = 0
  source.on('data', (chunk: Uint8Array) => {
    seen += chunk.length
    if (seen > maxBytes) reject(new UploadError('too_large', 'the form is too large'))
  })
  let isRead = false
  parser.on('finish', () => {
    isRead = true
    resolve()
  })
  parser.on('partsLimit', () => reject(malformedForm()))
  parser.on('error', (error) => reject(malformedForm(error)))
  source.on('error', reject)
  source.on('end', () => void whenLate(busy).then(() => isRead || reject(malformedForm())))
  source.pipe(parser)
  return promise
}

/** The parser says nothing about a part whose head does not end: what it does not read in time, it never will. */
async function whenLate(busy: () => Promise<unknown> | undefined): Promise<void> {
  await pause(PARSING_MS, undefined, { ref: false })
  await busy()?.catch(() => undefined)
  await pause(PARSING_MS, undefined, { ref: false })
}

type Busboy = InstanceType<typeof Busboy>

function parserFor(type: string, larger: { readonly fieldSize?: number } = {}): Busboy {
  assertBoundary(type)
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { ...limits, ...larger },
      preservePath: true,
      fileHwm: 256 * 1024,
      isPartAFile: (_name, _type, filename) => filename !== undefined && filename !== '',
    })
  } catch (error) {
    throw malformedForm(error)
  }
}
