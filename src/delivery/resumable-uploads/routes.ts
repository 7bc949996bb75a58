import { presentAttachment } from '../../repositories/attachments/present.ts'
import type { AttachmentBody } from '../../repositories/attachments/schema.ts'
import { apiUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { created, noContent, ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { claimedDigest, enterAgain } from '../../repositories/attachments/receive-upload.ts'
import { uploadCodes } from '../release-attachments/routes.ts'
import { loadRelease } from '../releases/load.ts'
import { loadWritable } from '../releases/routes.ts'
import { bytesOf } from '../../platform/storage/bytes.ts'
import { asAppError, type FailureCodes } from '../../platform/storage/upload-error.ts'
import { formatTime } from '../../platform/time.ts'
import {
  appendTo,
  beginUpload,
  completeUpload,
  dropUpload,
  loadUpload,
  type Appended,
  type UploadPlace,
} from './operations.ts'
import {
  repoAppendToUpload,
  repoBeginUpload,
  repoCancelUpload,
  repoGetUpload,
  type UploadBody,
} from './schema.ts'
import type { ResumableUpload } from './upload.ts'

const all = '/repos/:owner/:repo/releases/:id/uploads'
const one = `${all}/:uuid`

/** In the words of the IETF's draft on resumable uploads. */
export function resumableUploadRoutes(api: Api, ctx: Context): void {
  api.post(all, repoBeginUpload, async (call) => {
    const place = await enter(ctx, call)
    const wanted = {
      name: call.query.text('name') ?? '',
      sha256: claimedDigest(call),
      length: readNumber(call, 'upload-length'),
    }
    const begun = await toldAsHere(() => beginUpload(ctx, call.signedIn(), place, wanted))
    const appended = await append(ctx, call, place, begun)
    if (isLast(call, appended)) return ok(await complete(ctx, call, appended.upload))
    const body = present(ctx, place, appended.upload)
    return { ...created(body), headers: { ...stateOf(appended.upload), location: body.url } }
  })

  api.get(one, repoGetUpload, async (call) => {
    const upload = await load(ctx, call, await enter(ctx, call))
    return { ...noContent(), headers: stateOf(upload) }
  })

  api.patch(one, repoAppendToUpload, async (call) => {
    const place = await enter(ctx, call)
    const upload = await load(ctx, call, place)
    assertOffset(call, upload)
    const appended = await append(ctx, call, place, upload)
    if (isLast(call, appended)) return created(await complete(ctx, call, appended.upload))
    return { ...noContent(), headers: stateOf(appended.upload) }
  })

  api.delete(one, repoCancelUpload, async (call) => {
    await dropUpload(ctx, await load(ctx, call, await enter(ctx, call)))
    return noContent()
  })
}

async function enter(ctx: Context, call: Call): Promise<UploadPlace> {
  const view = await loadWritable(ctx, call)
  if (!ctx.config.attachment.enabled) throw notFound('attachment is not enabled')
  return { view, release: await loadRelease(ctx, call.caller, view, call.id('id')) }
}

async function load(ctx: Context, call: Call, place: UploadPlace): Promise<ResumableUpload> {
  return loadUpload(ctx, call.signedIn(), place, call.param('uuid'))
}

async function append(
  ctx: Context,
  call: Call,
  place: UploadPlace,
  upload: ResumableUpload,
): Promise<Appended> {
  return toldAsHere(() => appendTo(ctx, place, upload, bytesOf(call.incoming)))
}

/** What was to be the last part and has not come whole is not the last. */
function isLast(call: Call, { isCut }: Appended): boolean {
  return call.header('upload-complete') === '?1' && !isCut
}

async function complete(
  ctx: Context,
  call: Call,
  upload: ResumableUpload,
): Promise<AttachmentBody> {
  const again = await enterAgain(ctx, call, () => enter(ctx, call))
  const made = await toldAsHere(() => completeUpload(ctx, call.signedIn(), again, upload))
  const showDigest = call.query.boolean('digest')
  return presentAttachment(ctx.config, made, { showDigest })
}

/** A client that is wrong about it learns where to go on. */
function assertOffset(call: Call, { received }: ResumableUpload): void {
  const offset = readNumber(call, 'upload-offset')
  if (offset === undefined) throw invalid('Upload-Offset is missing')
  if (offset === received) return
  call.setHeader('upload-offset', String(received))
  throw new AppError('conflict', `the upload stands at ${received}`)
}

function readNumber(call: Call, name: string): number | undefined {
  const text = call.header(name)
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw invalid(`${name} is no number`)
  return Number(text)
}

function stateOf({ received }: ResumableUpload): NonNullable<Answer['headers']> {
  return {
    'upload-offset': String(received),
    'upload-complete': '?0',
    'cache-control': 'no-store',
  }
}

function present(
  { config }: Context,
  { view, release }: UploadPlace,
  { uuid, name, received, expiresAt }: ResumableUpload,
): UploadBody {
  const root = `${apiUrl(config)}/repos/${view.owner.name}/${view.repo.name}`
  const url = `${root}/releases/${release.id}/uploads/${uuid}`
  return { uuid, name, url, offset: received, expires_at: formatTime(expiresAt) }
}

/** The statuses of the contract are for its own addresses. */
const codes: FailureCodes = { ...uploadCodes, too_large: 'too_large' }

async function toldAsHere<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asAppError(error, codes)
  }
}
