import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { AppError } from '../../platform/errors.ts'
import { sumOfOwner, sumOfRepository } from './quota-queries.ts'

/** Whose quotas count; a repository that is not there yet has used nothing of its own. */
export interface QuotaOf {
  readonly id?: number
  readonly ownerId: number
}

/** Whether anything has to be counted at all. */
export function hasQuota({ config }: Context): boolean {
  return config.quota.per_repository > 0 || config.quota.per_owner > 0
}

/** How many bytes fit in still; infinitely many where there is no quota. */
export async function findRoom(
  { config }: Context,
  db: Executor,
  { id, ownerId }: QuotaOf,
): Promise<number> {
  const { per_repository, per_owner } = config.quota
  const left = (used: number, limit: number) => Math.max(0, limit - used)
  const inRepository =
    per_repository === 0
      ? Infinity
      : left(id === undefined ? 0 : await sumOfRepository(db, id), per_repository)
  const ofOwner = per_owner === 0 ? Infinity : left(await sumOfOwner(db, ownerId), per_owner)
  return Math.min(inRepository, ofOwner)
}

/**
 * Uploads at the same time are counted one after the other, so that together they keep within it
 * too.
 */
export async function assertWithinQuota(
  ctx: Context,
  tx: Executor,
  of: QuotaOf,
  size: number,
): Promise<void> {
  if (!hasQuota(ctx)) return
  await holdQuota(ctx, tx, of)
  if (size > (await findRoom(ctx, tx, of))) throw quotaExceeded()
}

/**
 * For whoever changes what counts before asking: until the transaction ends, nobody else counts.
 */
export async function holdQuota(
  ctx: Context,
  tx: Executor,
  { ownerId }: Pick<QuotaOf, 'ownerId'>,
): Promise<void> {
  if (hasQuota(ctx)) await lock(ctx.db.dialect, tx, 'attachments', ownerId)
}

/** For a repository that is handed over with all that is in it. */
export async function assertTakenIn(
  ctx: Context,
  tx: Executor,
  repositoryId: number,
  ownerId: number,
): Promise<void> {
  const limit = ctx.config.quota.per_owner
  if (limit === 0) return
  await holdQuota(ctx, tx, { ownerId })
  const size = await sumOfRepository(tx, repositoryId)
  if (size + (await sumOfOwner(tx, ownerId)) > limit) throw quotaExceeded()
}

export function quotaExceeded(): AppError {
  return new AppError('too_large', 'quota exceeded')
}
