import { sweepFiles } from '../../platform/sweeps/files.ts'
import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
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
  await sweepFiles(ctx, LFS_FILES, findKnownFiles)
}
