import type { IncomingMessage } from 'node:http'
import { lastElement } from '../../platform/files/name.ts'
import {
  discardFile,
  receiveFile,
  type ReceivedFile,
  type UploadRules,
} from '../../platform/files/receive.ts'
import type { Context } from '../../platform/context.ts'
import { bytesOf, keepPace } from '../../platform/storage/bytes.ts'
import { asAppError, UploadError, type FailureCodes } from '../../platform/storage/upload-error.ts'
import type { Call } from '../../platform/http/call.ts'
import { identifyAgain } from '../../identity/callers/identify.ts'
import { isMultipart, takeFile, type FormFile } from '../../platform/http/multipart.ts'

/** What one address makes of an upload. */
export interface UploadTerms {
  readonly rules: UploadRules
  /** A body that is no form is the file itself. */
  readonly takesRaw: boolean
  readonly codes: FailureCodes
}

/** What a form may be longer than the file in it. */
const FORM_OVERHEAD = 1_048_576

export interface Received<Place> {
  readonly file: ReceivedFile
  readonly place: Place
}

/**
 * The file that the body carries, stored; or nothing is, and the failure is told as the address
 * tells it. Where the bytes were still to come, what they are for is entered again at the end:
 * rights may have been taken away meanwhile.
 */
export async function receiveUpload<Place>(
  ctx: Context,
  call: Call,
  terms: UploadTerms,
  enter: () => Promise<Place>,
): Promise<Received<Place>> {
  const place = await enter()
  const wasThere = call.incoming.complete
  const file = await receive(ctx, call, terms)
  call.keepConnection()
  try {
    const entered = wasThere ? place : await enterAgain(ctx, call, enter)
    await call.begin(`${file.name}\n${file.sha256}`)
    return { file, place: entered }
  } catch (error) {
    await discardFile(ctx, file)
    throw error
  }
}

export async function enterAgain<Place>(
  ctx: Context,
  call: Call,
  enter: () => Promise<Place>,
): Promise<Place> {
  call.caller = await identifyAgain(ctx, call.caller)
  return enter()
}

async function receive(ctx: Context, call: Call, terms: UploadTerms): Promise<ReceivedFile> {
  try {
    return isMultipart(call.header('content-type') ?? '')
      ? await receiveForm(ctx, call, terms)
      : await receiveRaw(ctx, call, terms)
  } catch (error) {
    call.incoming.resume()
    if (!call.incoming.complete) call.hangUp()
    throw asAppError(error, terms.codes)
  }
}

async function receiveForm(
  ctx: Context,
  call: Call,
  { rules }: UploadTerms,
): Promise<ReceivedFile> {
  const wanted = { field: 'attachment', maxBytes: rules.maxBytes + FORM_OVERHEAD }
  const sha256 = claimedDigest(call)
  const declaredBytes = declaredLength(call.incoming) - FORM_OVERHEAD
  const take = ({ name, content }: FormFile) => {
    const upload = { name: call.query.text('name') || lastElement(name), content }
    return receiveFile(ctx, { ...upload, declaredBytes, sha256 }, rules)
  }
  const file = await takeFile(call.incoming, wanted, take, (taken) => discardFile(ctx, taken))
  if (!file) throw noFile()
  return file
}

async function receiveRaw(
  ctx: Context,
  call: Call,
  { rules, takesRaw }: UploadTerms,
): Promise<ReceivedFile> {
  if (!takesRaw) throw noFile()
  const { incoming } = call
  const upload = {
    name: call.query.text('name') ?? '',
    content: keepPace(bytesOf(incoming)),
    declaredBytes: declaredLength(incoming),
    sha256: claimedDigest(call),
  }
  return receiveFile(ctx, upload, rules)
}

function noFile(): UploadError {
  return new UploadError('no_file', 'http: no such file')
}

function declaredLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}

/** From `?sha256=` in hexadecimal or from Repr-Digest; other algorithms are not looked at. */
export function claimedDigest(call: Call): string | undefined {
  const hex = call.query.text('sha256')
  if (hex) return hex.toLowerCase()
  const [, base64] = /(?:^|,)\s*sha-256=:([^:]*):/.exec(call.header('repr-digest') ?? '') ?? []
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('hex')
}
