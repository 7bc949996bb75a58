import { uuidOf } from '../files/key.ts'
import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { ListedFile } from '../storage/file-storage.ts'
import { throwAway } from '../storage/trash.ts'
import { sweepCarefully } from './careful.ts'

/** Longer than any upload takes: what is younger may be about to get its record. */
export const MIN_AGE_SECONDS = 24 * 3600
const AT_ONCE = 500

export function isOldEnough({ modifiedAt }: ListedFile, now: number): boolean {
  return modifiedAt < now - MIN_AGE_SECONDS
}

/** Says which of these names have a record. */
export type FindKnown = (db: Executor, uuids: readonly string[]) => Promise<ReadonlySet<string>>

/**
 * Throws away old files below `prefix` that have no record. A record is made after its file, so a
 * file of that age that has none will get none.
 */
export async function sweepFiles(
  ctx: Context,
  prefix: string,
  findKnown: FindKnown,
): Promise<void> {
  const findNamed = async (keys: readonly string[]) => {
    const known = await findKnown(ctx.db, keys.map(uuidOf))
    return (key: string) => known.has(uuidOf(key))
  }
  await sweepKeys(ctx, prefix, findNamed)
}

/** Like `sweepFiles`, for those that are named by their whole keys. */
export async function sweepKeys(
  ctx: Context,
  prefix: string,
  findNamed: (keys: readonly string[]) => Promise<(key: string) => boolean>,
): Promise<void> {
  const now = ctx.now()
  const strays: string[] = []
  const look = async (keys: readonly string[]) => {
    const isNamed = await findNamed(keys)
    strays.push(...keys.filter((key) => !isNamed(key)))
  }
  let total = 0
  let old: string[] = []
  for await (const file of ctx.files.list(prefix)) {
    total++
    if (isOldEnough(file, now)) old.push(file.key)
    if (old.length < AT_ONCE) continue
    await look(old)
    old = []
  }
  await look(old)
  await sweepCarefully(ctx, prefix, { total, strays }, (key) => throwAway(ctx.files, key, now))
}
