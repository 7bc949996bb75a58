import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { limitBytes, peek, tooLarge, type Bytes } from '../storage/bytes.ts'
import { isStorageFull } from '../storage/disk-room.ts'
import { StorageAway } from '../storage/mark.ts'
import type { StoredFile } from '../storage/file-storage.ts'
import { UploadError } from '../storage/upload-error.ts'
import { keyOf } from './key.ts'
import { forbiddenType, isAllowedType } from './allowed-types.ts'
import { HEAD_BYTES, servedType } from './media-type.ts'
import { cleanName } from './name.ts'

export interface UploadRules {
  /** As the setting says it. */
  readonly allowedTypes: string
  readonly maxBytes: number
}

/** A file on its way in. */
export interface Upload {
  readonly name: string
  readonly content: Bytes
  /** What the client says that it will send, if it does. */
  readonly declaredBytes?: number | undefined
  /** Lower-case hexadecimal, as the client says. */
  readonly sha256?: string | undefined
}

/** Bytes that are stored and have no record yet. */
export interface ReceivedFile {
  readonly uuid: string
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly mediaType: string
}

export function issueRules({ config }: Context): UploadRules {
  const { allowed_types: allowedTypes, max_size: maxBytes } = config.attachment
  return { allowedTypes, maxBytes }
}

export function releaseRules({ config }: Context): UploadRules {
  const { allowed_types: allowedTypes, max_size: maxBytes } = config.release
  return { allowedTypes, maxBytes }
}

/** Stores the bytes, or leaves nothing behind. The record is the caller's to make. */
export async function receiveFile(
  ctx: Context,
  upload: Upload,
  rules: UploadRules,
): Promise<ReceivedFile> {
  const name = cleanName(upload.name)
  if (name === '') throw new UploadError('no_name', 'Could not determine name of attachment.')
  const { head, all } = await peek(upload.content, HEAD_BYTES)
  if (!isAllowedType(rules.allowedTypes, name, head)) throw forbiddenType()
  if ((upload.declaredBytes ?? 0) > rules.maxBytes) throw tooLarge(rules.maxBytes)
  const uuid = randomUUID()
  const stored = await put(ctx, keyOf(uuid), limitBytes(all, rules.maxBytes))
  if (upload.sha256 !== undefined && upload.sha256 !== stored.sha256) {
    await ctx.files.remove(keyOf(uuid))
    throw new UploadError('wrong_digest', 'digest mismatch')
  }
  return { uuid, name, ...stored, mediaType: servedType(head) }
}

/** For whoever cannot make the record after all. */
export async function discardFile(ctx: Context, { uuid }: ReceivedFile): Promise<void> {
  await ctx.files.remove(keyOf(uuid))
}

async function put(ctx: Context, key: string, content: Bytes): Promise<StoredFile> {
  const source: { error?: unknown } = {}
  try {
    await ctx.room.assertLeft()
    return await ctx.files.putNew(key, noting(content, source))
  } catch (error) {
    // What broke on the client's side is told as it is.
    throw source.error ?? storageError(ctx, error)
  }
}

/** Tells a failure to read from a failure to write. */
async function* noting(content: Bytes, source: { error?: unknown }): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    source.error = error
    throw error
  }
}

function storageError(ctx: Context, error: unknown): Error {
  if (error instanceof StorageAway) return error
  ctx.log.error({ err: error }, 'attachment not stored')
  return isStorageFull(error)
    ? new UploadError('storage_full', 'insufficient storage', { cause: error })
    : new UploadError('storage_failed', (error as Error).message, { cause: error })
}
