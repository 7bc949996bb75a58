import type { Context } from '../../platform/context.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Remote, RemoteOptions } from '../../platform/git/remote.ts'
import { fetchObjects } from '../lfs/fetch.ts'
import { sizeOf } from '../lfs/object.ts'
import { listPointers } from '../lfs/pointers.ts'
import { ReceivedObjects } from '../lfs/received.ts'
import { findRoom, quotaExceeded } from '../../repositories/repository/quota.ts'
import { isStorageFull } from '../../platform/storage/disk-room.ts'
import { complaintAbout, lfsRemoteOf } from './lfs.ts'
import { complaintOf } from './limits.ts'

export interface ObjectsOf {
  /** The fetched code. */
  readonly path: string
  readonly remote: Remote
  readonly endpoint: string
  /** Whose quota they count in. */
  readonly ownerId: number
}

/**
 * Does `work` with the objects that the code points at, if they are wanted; nothing is left of them
 * when that fails.
 */
export async function withObjects<T>(
  ctx: Context,
  of: ObjectsOf | undefined,
  limits: RemoteOptions,
  work: (objects: ReceivedObjects) => Promise<T>,
): Promise<T> {
  const objects = new ReceivedObjects(ctx)
  let isDone = false
  try {
    if (of) await receiveAll(ctx, of, limits, objects)
    const result = await work(objects)
    isDone = true
    return result
  } catch (error) {
    isDone = mayHaveCommitted(error)
    throw error
  } finally {
    await objects.removeSurplus({ isDone })
  }
}

/** What the remote itself does not have any more keeps nobody from moving. */
async function receiveAll(
  ctx: Context,
  { path, remote, endpoint, ownerId }: ObjectsOf,
  limits: RemoteOptions,
  objects: ReceivedObjects,
): Promise<void> {
  try {
    const pointers = await listPointers(ctx, path, limits)
    if (sizeOf(pointers) > (await findRoom(ctx, ctx.db, { ownerId }))) throw quotaExceeded()
    const fetched = await fetchObjects(ctx, lfsRemoteOf(endpoint, remote), pointers, {
      ...limits,
      keep: (pointer, content) => objects.keep(ownerId, pointer, content),
    })
    if (fetched.failed > 0) throw new Error(complaintAbout(fetched))
    if (fetched.missing.length > 0)
      ctx.log.info({ missing: fetched.missing }, 'LFS objects missing')
  } catch (error) {
    limits.signal.throwIfAborted()
    if (error instanceof AppError || isStorageFull(error)) throw error
    throw fetchFailed(complaintOf(error), error)
  }
}

export function fetchFailed(words: string, cause: unknown): AppError {
  const subject = `${words}.`
  return invalid(`Migration failed: ${subject}`, { cause, reason: 'fetch_failed', subject })
}
