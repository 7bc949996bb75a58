import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'
import { bytesOf, keepPace, limitBytes } from '../storage/bytes.ts'
import { UploadError } from '../storage/upload-error.ts'
import {
  asSendersFault,
  boundaryOf,
  malformedForm,
  MAX_FIELDS,
  readParts,
  type FormPart,
} from './form-parts.ts'

/** Of a text beside a file. */
const MAX_TEXT_BYTES = 4096

export function isMultipart(type: string): boolean {
  return /^multipart\/form-data/i.test(type)
}

/**
 * A form without a boundary is nothing, whoever posts it: no byte of it needs to be read to see
 * that.
 */
export function assertReadable(method: string, type = ''): void {
  if (method === 'POST' && isMultipart(type)) boundaryOf(type)
}

/** The texts of a form; what it has of files is left out. */
export async function readTexts(type: string, body: Buffer): Promise<URLSearchParams> {
  const texts = new URLSearchParams()
  const parts = readParts(inOne(body), boundaryOf(type), MAX_FIELDS)
  for await (const { name, filename, content } of parts) {
    if (filename !== '') continue
    const text = Buffer.concat(await Array.fromAsync(content)).toString()
    texts.append(name, text.replaceAll('\0', ''))
  }
  return texts
}

export async function* inOne(body: Buffer): AsyncGenerator<Buffer> {
  yield body
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
 * Gives the first file of the form that is called `field` to `take` as it arrives, and reads the
 * form to its end. Should that fail after all, `undo` gets what was taken. Without such a file
 * nothing is taken.
 */
export async function takeFile<T>(
  request: IncomingMessage,
  { field, maxBytes }: WantedFile,
  take: (file: FormFile) => Promise<T>,
  undo: (taken: T) => Promise<void>,
): Promise<T | undefined> {
  const boundary = boundaryOf(request.headers['content-type'] ?? '')
  let taken: { readonly file: T } | undefined
  try {
    for await (const part of readParts(limited(request, maxBytes), boundary)) {
      if (part.filename === '') await assertShort(part)
      else if (!taken && part.name === field) {
        taken = { file: await take({ name: part.filename, content: part.content }) }
      }
    }
    return taken?.file
  } catch (error) {
    if (taken) await undo(taken.file)
    throw error
  }
}

/** A file of a page that is small enough to be read at once; empty when the form has none. */
export async function readFormFile(request: IncomingMessage, wanted: WantedFile): Promise<Buffer> {
  const read = async ({ content }: FormFile) => Buffer.concat(await Array.fromAsync(content))
  try {
    return (await takeFile(request, wanted, read, async () => {})) ?? Buffer.alloc(0)
  } catch (error) {
    if (!(error instanceof UploadError)) throw asSendersFault(error)
    throw new AppError(error.failure === 'too_slow' ? 'too_slow' : 'too_large', error.message)
  }
}

/** The bytes of a form, in pace and not too many. */
export function limited(request: IncomingMessage, maxBytes: number): AsyncIterable<Buffer> {
  return limitBytes(keepPace(bytesOf(request)), maxBytes, formTooLarge)
}

export function formTooLarge(): UploadError {
  return new UploadError('too_large', 'the form is too large')
}

async function assertShort({ content }: FormPart): Promise<void> {
  await Array.fromAsync(limitBytes(content, MAX_TEXT_BYTES, malformedForm))
}
