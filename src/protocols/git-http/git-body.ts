import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError } from '../../platform/errors.ts'
import { bytesOf, keepPace, limitBytes } from '../../platform/storage/bytes.ts'
import { UploadError } from '../../platform/storage/upload-error.ts'
import { tooSlow } from '../../platform/http/body.ts'
import { ReadAhead } from '../../platform/http/read-ahead.ts'

/**
 * The body of a git request, unpacked. Whoever stops reading leaves the connection open: git may
 * have enough before the end, and its answer is still to be sent.
 */
export function readGitBody(
  request: IncomingMessage,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const tooLarge = () => new AppError('too_large', 'The request is too large.')
  return limitBytes(unpacked(request), maxBytes, tooLarge)
}

async function* unpacked(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  const paced = inPace(bytesAhead(request))
  if (encoding === 'identity') yield* paced
  else if (encoding === 'gzip' || encoding === 'x-gzip') yield* gunzipped(paced)
  else throw new AppError('bad_request', `The encoding ${encoding} is not known.`)
}

/**
 * What nobody wants any more is thrown away: some clients read no answer before they have sent all.
 */
async function* bytesAhead(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const read = new ReadAhead(request)
  // Its failure shows where the bytes are read.
  read.on('error', () => undefined)
  try {
    yield* bytesOf(read)
  } finally {
    read.resume()
  }
}

async function* inPace(sent: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* keepPace(sent)
  } catch (error) {
    throw error instanceof UploadError ? tooSlow() : error
  }
}

async function* gunzipped(sent: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  // Its failure shows where the unpacked bytes are read.
  pipeline(sent, gunzip).catch(() => undefined)
  try {
    yield* gunzip as AsyncIterable<Uint8Array>
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!code?.startsWith('Z_')) throw error
    throw new AppError('bad_request', 'The body is not compressed as it says.', { cause: error })
  }
}
