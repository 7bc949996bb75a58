import { isOldEnough } from '../attachments/sweep.ts'
import { uuidOf } from '../attachments/attachment.ts'
import type { Context } from '../context.ts'
import { lock } from '../db/lock.ts'
import { lfsKey, LFS_FILES } from './object.ts'
import { deleteUnused, findKnownFiles, findUnused } from './queries.ts'
import { lockNumber } from './store.ts'

const AT_ONCE = 500

/** The job after a repository has gone: what only it had goes too. Doing it twice does no harm. */
export async function removeUnusedLfs(ctx: Context): Promise<void> {
  for (;;) {
    const oids = await findUnused(ctx.db, AT_ONCE)
    for (const oid of oids) await removeUnused(ctx, oid)
    if (oids.length < AT_ONCE) return
  }
}

async function removeUnused(ctx: Context, oid: string): Promise<void> {
  const uuid = await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'lfs', lockNumber(oid))
    return deleteUnused(tx, oid)
  })
  if (uuid !== undefined) await ctx.files.remove(lfsKey(uuid))
}

/** A scheduled task: removes what nobody has, and files that a crash left without a record. */
export async function sweepLfs(ctx: Context): Promise<void> {
  await removeUnusedLfs(ctx)
  const now = ctx.now()
  let keys: string[] = []
  for await (const file of ctx.files.list(LFS_FILES)) {
    if (isOldEnough(file, now)) keys.push(file.key)
    if (keys.length < AT_ONCE) continue
    await removeUnknown(ctx, keys)
    keys = []
  }
  await removeUnknown(ctx, keys)
}

async function removeUnknown(ctx: Context, keys: readonly string[]): Promise<void> {
  const known = await findKnownFiles(ctx.db, keys.map(uuidOf))
  for (const key of keys.filter((one) => !known.has(uuidOf(one)))) {
    await ctx.files.remove(key)
    ctx.log.info({ key }, 'removed a file without a record')
  }
}
