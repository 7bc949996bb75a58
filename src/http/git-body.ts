import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError } from '../errors.ts'
import { LARGE_PACK_BYTES } from '../git/large-pack.ts'
import { bytesOf, keepPace, limitBytes } from '../storage/bytes.ts'
import { UploadError } from '../storage/upload-error.ts'
import { tooSlow } from './body.ts'

/**
 * The body of a git request, unpacked. Whoever stops reading leaves the connection open: git may have enough
 * before the end, and its answer is still to be sent.
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
  const paced = inPace(bytesOf(ahead(request)))
  if (encoding === 'identity') yield* paced
  else if (encoding === 'gzip' || encoding === 'x-gzip') yield* gunzipped(paced)
  else throw new AppError('bad_request', `The encoding ${encoding} is not known.`)
}

/**
 * What is small is read whatever git does with it: of a connection from which nothing is read, no
 * end is heard.
 */
function ahead(request: IncomingMessage): Readable {
  const length = Number(request.headers['content-length'])
  if (!(length <= LARGE_PACK_BYTES)) return request
  const read = new PassThrough({ highWaterMark: LARGE_PACK_BYTES })
  // Its failure shows where the bytes are read.
  pipeline(request, read).catch(() => undefined)
  return read
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
