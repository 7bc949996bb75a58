import { randomUUID } from 'node:crypto'
import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { createAttachment } from '../../repositories/attachments/create.ts'
import { dropFiles } from '../../repositories/attachments/drop.ts'
import { cleanName } from '../../platform/files/name.ts'
import { receiveFile, releaseRules } from '../../platform/files/receive.ts'
import { sweepKeys } from '../../platform/sweeps/files.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { assertWithinQuota, findRoom, quotaExceeded } from '../../repositories/repository/quota.ts'
import { holdRelease } from '../releases/hold.ts'
import type { Release } from '../releases/release.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { keepPace, limitBytes, tooLarge, type Bytes } from '../../platform/storage/bytes.ts'
import { UploadError, type UploadFailure } from '../../platform/storage/upload-error.ts'
import {
  addPart,
  deleteUpload,
  deleteUploadsOf,
  findExpired,
  findNamedParts,
  findUpload,
  insertUpload,
} from './queries.ts'
import type { ResumableUpload } from './upload.ts'

const KEPT_SECONDS = 24 * 3600
const PARTS = 'uploads'

export interface UploadPlace {
  readonly view: RepositoryView
  readonly release: Release
}

export interface NewUpload {
  readonly name: string
  readonly sha256: string | undefined
  readonly length: number | undefined
}

export async function beginUpload(
  ctx: Context,
  caller: SignedInCaller,
  { view, release }: UploadPlace,
  { name, sha256, length }: NewUpload,
): Promise<ResumableUpload> {
  const cleaned = cleanName(name)
  if (cleaned === '') throw new UploadError('no_name', 'Could not determine name of attachment.')
  const { maxBytes } = releaseRules(ctx)
  if (length !== undefined && length > maxBytes) throw tooLarge(maxBytes)
  return ctx.db.transaction().execute(async (tx) => {
    await holdRelease(ctx, tx, release)
    return insertUpload(tx, {
      uuid: randomUUID(),
      repository_id: view.repo.id,
      release_id: release.id,
      account_id: caller.account.id,
      name: cleaned,
      sha256: sha256 ?? '',
      length: length ?? null,
      expires_at: ctx.now() + KEPT_SECONDS,
    })
  })
}

/** Of the caller, for this release, and not too old. */
export async function loadUpload(
  ctx: Context,
  caller: SignedInCaller,
  { release }: UploadPlace,
  uuid: string,
): Promise<ResumableUpload> {
  const upload = await findUpload(ctx.db, uuid)
  const isOurs = upload?.releaseId === release.id && upload.accountId === caller.account.id
  if (!upload || !isOurs || upload.expiresAt < ctx.now()) throw notFound()
  return upload
}

export interface Appended {
  readonly upload: ResumableUpload
  /** Whether the connection broke before all was there that the client meant to send. */
  readonly isCut: boolean
}

/** Keeps what arrives, also of a connection that breaks: the client goes on from there. */
export async function appendTo(
  ctx: Context,
  { view: { repo } }: UploadPlace,
  upload: ResumableUpload,
  content: Bytes,
): Promise<Appended> {
  await ctx.room.assertLeft()
  const uuid = randomUUID()
  const key = `${PARTS}/${uuid.slice(0, 2)}/${uuid}`
  const { maxBytes } = releaseRules(ctx)
  const room = Math.min(upload.length ?? maxBytes, maxBytes) - upload.received
  const quota = await findRoom(ctx, ctx.db, repo)
  if (upload.length !== undefined && room > quota) throw quotaExceeded()
  const cut: { error?: unknown } = {}
  const arriving = limitBytes(untilCut(keepPace(content), cut), room, () =>
    upload.length === undefined ? tooLarge(maxBytes) : longerThanSaid(upload.length),
  )
  // What is beyond the quota is not kept for as long as it arrives.
  const bytes = limitBytes(arriving, quota, quotaExceeded)
  const { size } = await ctx.files.putNew(key, bytes).catch(async (error: unknown) => {
    await dropIfHopeless(ctx, upload, error)
    throw error
  })
  const added = await keepPart(ctx, repo, upload, { key, size })
  if (cut.error instanceof UploadError) throw cut.error
  return { upload: added, isCut: cut.error !== undefined }
}

async function keepPart(
  ctx: Context,
  repo: Repository,
  upload: ResumableUpload,
  part: { readonly key: string; readonly size: number },
): Promise<ResumableUpload> {
  try {
    const added = await ctx.db.transaction().execute(async (tx) => {
      await assertWithinQuota(ctx, tx, repo, part.size)
      return addPart(tx, upload, part)
    })
    if (!added) throw goneOn()
    return added
  } catch (error) {
    if (!mayHaveCommitted(error)) await ctx.files.remove(part.key)
    throw error
  }
}

function longerThanSaid(length: number): UploadError {
  return new UploadError('too_large', `the upload has more than its ${length} bytes`)
}

function goneOn(): AppError {
  return new AppError('conflict', 'the upload has gone on elsewhere')
}

/** Of what is wrong with the file itself, nothing becomes better by going on. */
const hopeless: readonly UploadFailure[] = [
  'no_name',
  'forbidden_type',
  'too_large',
  'wrong_digest',
]

async function dropIfHopeless(
  ctx: Context,
  upload: ResumableUpload,
  error: unknown,
): Promise<void> {
  if (error instanceof UploadError && hopeless.includes(error.failure))
    await dropUpload(ctx, upload)
}

/**
 * A client that is too slow is sent away, but what it has sent is there as if the connection had
 * broken.
 */
async function* untilCut(content: Bytes, cut: { error?: unknown }): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    cut.error = error
  }
}

/** Makes the attachment of all that has arrived, under the rules for any other. */
export async function completeUpload(
  ctx: Context,
  caller: SignedInCaller,
  { view, release }: UploadPlace,
  upload: ResumableUpload,
): Promise<Attachment> {
  const { name, sha256, length, received, parts } = upload
  if (length !== undefined && length !== received) {
    throw invalid(`the upload has ${received} of ${length} bytes`)
  }
  const file = await receiveFile(
    ctx,
    { name, sha256, content: joined(ctx, parts), declaredBytes: received },
    releaseRules(ctx),
  ).catch(async (error: unknown) => {
    await dropIfHopeless(ctx, upload, error)
    throw error
  })
  const makeRoom = async (tx: Executor) => {
    await holdRelease(ctx, tx, release)
    const keys = await deleteUpload(tx, upload.uuid)
    if (!keys) throw notFound()
    if (keys.length > parts.length) throw goneOn()
    await ctx.jobs.enqueue(tx, 'remove_files', { keys })
  }
  return createAttachment(ctx, caller, { view, releaseId: release.id, makeRoom }, file)
}

async function* joined(ctx: Context, parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const key of parts) yield* (await ctx.files.open(key)) as AsyncIterable<Uint8Array>
}

export async function dropUpload(ctx: Context, { uuid }: ResumableUpload): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const keys = await deleteUpload(tx, uuid)
    if (keys) await ctx.jobs.enqueue(tx, 'remove_files', { keys })
  })
  ctx.jobs.wake()
}

/** With a release that is deleted, in its transaction: so wake the queue after the commit. */
export async function dropUploadsOf(ctx: Context, tx: Executor, { id }: Release): Promise<void> {
  await dropFiles(ctx, tx, await deleteUploadsOf(tx, id))
}

/** A scheduled task: what nobody goes on with, and parts that a crash or a deleted release left. */
export async function expireUploads(ctx: Context): Promise<void> {
  for (const upload of await findExpired(ctx.db, ctx.now())) await dropUpload(ctx, upload)
  await sweepKeys(ctx, PARTS, async () => {
    const named = await findNamedParts(ctx.db)
    return (key) => named.has(key)
  })
}
