import type { IncomingMessage } from 'node:http'
import { lastElement } from '../files/name.ts'
import { receiveFile, type UploadRules } from '../files/receive.ts'
import { StoredFiles } from '../files/stored-files.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { limitBytes } from '../storage/bytes.ts'
import { UploadError, type UploadFailure } from '../storage/upload-error.ts'
import { asSendersFault, boundaryOf, MAX_FIELDS, readParts, type FormPart } from './form-parts.ts'
import { formTooLarge, limited } from './multipart.ts'

/** What is taken of the files of a form. */
export interface FileTerms {
  readonly rules: UploadRules
  readonly maxFiles: number
}

/** The first file that is not taken, and why. */
export interface RefusedFile {
  readonly name: string
  readonly failure: UploadFailure | 'too_many'
}

export interface StoredForm {
  readonly texts: URLSearchParams
  readonly stored: StoredFiles
  readonly refused: RefusedFile | undefined
}

const FIELD = 'attachment'

/** What whoever fills in the form can mend, or leave out. */
const mendable: readonly UploadFailure[] = [
  'forbidden_type',
  'too_large',
  'no_name',
  'storage_full',
]

/**
 * A form whose files are stored as they arrive. After one that is not taken the others are passed
 * over, so that the texts are known.
 */
export async function readStored(
  ctx: Context,
  request: IncomingMessage,
  terms: FileTerms,
): Promise<StoredForm> {
  const texts = new URLSearchParams()
  const stored = new StoredFiles(ctx)
  const maxText = ctx.config.api.max_body_size
  const maxBytes = terms.rules.maxBytes * terms.maxFiles + maxText
  let refused: RefusedFile | undefined
  let left = maxText
  try {
    const boundary = boundaryOf(request.headers['content-type'] ?? '')
    for await (const part of readParts(limited(request, maxBytes), boundary, MAX_FIELDS)) {
      if (part.filename !== '') refused ??= await store(ctx, stored, terms, part)
      else {
        const text = await readText(part, left)
        left -= text.length
        texts.append(part.name, text.toString().replaceAll('\0', ''))
      }
    }
    return { texts, stored, refused }
  } catch (error) {
    await stored.discard()
    request.resume()
    throw asRefusal(error)
  }
}

async function store(
  ctx: Context,
  stored: StoredFiles,
  { rules, maxFiles }: FileTerms,
  { name: field, filename, content }: FormPart,
): Promise<RefusedFile | undefined> {
  if (field !== FIELD) return undefined
  const name = lastElement(filename)
  if (stored.count >= maxFiles) return { name, failure: 'too_many' }
  try {
    stored.add(await receiveFile(ctx, { name, content }, rules))
    return undefined
  } catch (error) {
    if (!(error instanceof UploadError) || !mendable.includes(error.failure)) throw error
    return { name, failure: error.failure }
  }
}

async function readText({ content }: FormPart, maxBytes: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(limitBytes(content, maxBytes, formTooLarge)))
}

function asRefusal(error: unknown): unknown {
  if (error instanceof UploadError) {
    const { failure, message } = error
    if (failure === 'storage_failed') return new AppError('upload_failed', message)
    return new AppError(failure === 'too_slow' ? 'too_slow' : 'too_large', message)
  }
  return asSendersFault(error)
}
