import { randomUUID } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import {
  assertWithinQuota,
  findRoom,
  quotaExceeded,
  type QuotaOf,
} from '../../repositories/repository/quota.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { keepPace, limitBytes, type Bytes } from '../../platform/storage/bytes.ts'
import { asAppError } from '../../platform/storage/upload-error.ts'
import { lfsKey, type Pointer } from './object.ts'
import { findObjects, insertFile, insertObjects } from './queries.ts'

/**
 * What must not happen to the same bytes at once: that they are stored, linked, and removed as
 * unused.
 */
export function lockNumber(oid: string): number {
  return Number.parseInt(oid.slice(0, 7), 16)
}

export async function hasObject(
  ctx: Context,
  { id }: Repository,
  { oid, size }: Pointer,
): Promise<boolean> {
  const known = (await findObjects(ctx.db, id, [oid])).get(oid)
  if (known !== undefined && known !== size) throw invalid(`Object ${oid} is not ${size} bytes`)
  return known !== undefined
}

/**
 * Takes the bytes of an object, if they are what its name says. Each upload writes a file of its
 * own, so that one that fails takes nothing from another; of several, the first to end is kept.
 */
export async function storeObject(
  ctx: Context,
  repo: Repository,
  pointer: Pointer,
  content: Bytes,
  recheck: () => Promise<void>,
): Promise<void> {
  const { uuid } = await receiveObject(ctx, repo, pointer, content)
  let isKept = false
  try {
    await recheck()
    isKept = await record(ctx, repo, pointer, uuid)
  } catch (error) {
    isKept = mayHaveCommitted(error)
    throw error
  } finally {
    if (!isKept) await ctx.files.remove(lfsKey(uuid))
  }
}

/** Bytes that are what their name says, but that no repository has yet. */
export interface ReceivedObject extends Pointer {
  readonly uuid: string
}

export async function receiveObject(
  ctx: Context,
  of: QuotaOf,
  pointer: Pointer,
  content: Bytes,
): Promise<ReceivedObject> {
  assertSizeAllowed(ctx, pointer)
  if (pointer.size > (await findRoom(ctx, ctx.db, of))) throw quotaExceeded()
  await ctx.room.assertLeft()
  const uuid = randomUUID()
  await receive(ctx, uuid, pointer, content)
  return { ...pointer, uuid }
}

function assertSizeAllowed({ config }: Context, { size }: Pointer): void {
  const { max_file_size: limit } = config.lfs
  if (limit > 0 && size > limit) {
    throw new AppError('too_large', `Size must be less than or equal to ${limit}`)
  }
}

async function receive(
  ctx: Context,
  uuid: string,
  { oid, size }: Pointer,
  content: Bytes,
): Promise<void> {
  const key = lfsKey(uuid)
  const stored = await ctx.files
    .put(key, limitBytes(keepPace(content), size))
    .catch((error: unknown) => {
      throw asAppError(error, codes)
    })
  if (stored.size === size && stored.sha256 === oid) return
  await ctx.files.remove(key)
  throw invalid(
    stored.size === size
      ? `The content is not that of ${oid}`
      : `The content has ${stored.size} bytes instead of ${size}`,
  )
}

const codes = {
  no_file: 'invalid',
  no_name: 'invalid',
  forbidden_type: 'invalid',
  too_large: 'invalid',
  too_slow: 'unavailable',
  wrong_digest: 'invalid',
  storage_full: 'insufficient_storage',
  storage_failed: 'upload_failed',
} as const

/** True when the stored file is the one that counts from now on. */
async function record(
  ctx: Context,
  repo: Repository,
  { oid, size }: Pointer,
  uuid: string,
): Promise<boolean> {
  const now = ctx.now()
  return ctx.db.transaction().execute(async (tx) => {
    await assertWithinQuota(ctx, tx, repo, size)
    await lock(ctx.db.dialect, tx, 'lfs', lockNumber(oid))
    const isNew = await insertFile(tx, { oid, size, uuid, created_at: now })
    await insertObjects(tx, repo.id, [{ oid, size }], now)
    return isNew
  })
}
