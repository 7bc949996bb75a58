import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { measureObjectsIn } from '../../platform/git/size.ts'
import { assertWithinQuota, findRoom, hasQuota } from '../../repositories/repository/quota.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { MIB } from '../../platform/storage/bytes.ts'
import { addToGitSize } from './queries.ts'

/**
 * Git ends a push that is this much larger than what is left; one that is less too large is told
 * how much it is.
 */
const TOLD_BYTES = 10 * MIB

/** The largest pack that is read at all; 0 for any. */
export async function largestPack(ctx: Context, repo: Repository): Promise<number> {
  if (!hasQuota(ctx)) return 0
  return (await findRoom(ctx, ctx.db, repo)) + TOLD_BYTES
}

/**
 * Objects that wait in quarantine count from here on; the measuring after the push makes it exact.
 */
export async function reservePushed(
  ctx: Context,
  repo: Repository,
  quarantine: string | undefined,
): Promise<void> {
  if (quarantine === undefined || !hasQuota(ctx)) return
  const bytes = await measureObjectsIn(quarantine)
  await reserveGitBytes(ctx, repo, bytes).catch((error: unknown) => {
    const isTooLarge = error instanceof AppError && error.code === 'too_large'
    if (!isTooLarge) throw error
    const size = `${Math.ceil(bytes / 1024)} KiB`
    throw new AppError('too_large', `${error.message}: what is pushed takes ${size}`)
  })
}

/** Before bytes go into git by ourselves, as long as they are. */
export async function reserveGitBytes(
  ctx: Context,
  repo: Repository,
  bytes: number,
): Promise<void> {
  if (bytes === 0 || !hasQuota(ctx)) return
  await ctx.db.transaction().execute(async (tx) => {
    await assertWithinQuota(ctx, tx, repo, bytes)
    await addToGitSize(tx, repo.id, bytes)
  })
}

/** They did not get there after all. */
export async function releaseGitBytes(
  ctx: Context,
  repo: Repository,
  bytes: number,
): Promise<void> {
  if (bytes > 0 && hasQuota(ctx)) await addToGitSize(ctx.db, repo.id, -bytes)
}
