import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { ListedFile } from '../storage/file-storage.ts'
import { ATTACHMENTS, uuidOf } from './attachment.ts'
import { findKnownUuids } from './queries.ts'

/** Longer than any upload takes: what is younger may be about to get its record. */
const MIN_AGE_SECONDS = 24 * 3600
const AT_ONCE = 500

/** A scheduled task: removes files that a crash left without a record. */
export async function sweepAttachments(ctx: Context): Promise<void> {
  await ctx.files.tidy(ctx.now() - MIN_AGE_SECONDS)
  await sweepFiles(ctx, ATTACHMENTS, findKnownUuids)
}

type FindKnown = (db: Executor, uuids: readonly string[]) => Promise<ReadonlySet<string>>

/** Removes old files below `prefix` that have no record; `findKnown` tells which have one. */
export async function sweepFiles(
  ctx: Context,
  prefix: string,
  findKnown: FindKnown,
): Promise<void> {
  const now = ctx.now()
  let keys: string[] = []
  for await (const file of ctx.files.list(prefix)) {
    if (isOldEnough(file, now)) keys.push(file.key)
    if (keys.length < AT_ONCE) continue
    await removeUnknown(ctx, keys, findKnown)
    keys = []
  }
  await removeUnknown(ctx, keys, findKnown)
}

export function isOldEnough({ modifiedAt }: ListedFile, now: number): boolean {
  return modifiedAt < now - MIN_AGE_SECONDS
}

/** A record is made after its file, so a file of that age that has none will get none. */
async function removeUnknown(
  ctx: Context,
  keys: readonly string[],
  findKnown: FindKnown,
): Promise<void> {
  const known = await findKnown(ctx.db, keys.map(uuidOf))
  for (const key of keys.filter((one) => !known.has(uuidOf(one)))) {
    await ctx.files.remove(key)
    ctx.log.info({ key }, 'removed a file without a record')
  }
}
