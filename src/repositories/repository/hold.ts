import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { notFound } from '../../platform/errors.ts'
import { findRepositoryById } from './queries.ts'
import type { Repository } from './repository.ts'

/**
 * As it is now, and stays until the transaction ends: others may have renamed it since it was
 * loaded.
 */
export async function holdRepository(
  ctx: Context,
  tx: Executor,
  { id }: Pick<Repository, 'id'>,
): Promise<Repository> {
  await lock(ctx.db.dialect, tx, 'repository', id)
  const now = await findRepositoryById(tx, id)
  if (!now) throw notFound()
  return now
}

/**
 * Like `holdRepository`, for what only its owner or somebody whom they let decides: whoever was
 * allowed to by the one who has handed it over meanwhile is so no longer. Whoever holds an
 * organization or `follows` as well does so before.
 */
export async function holdUnmoved(
  ctx: Context,
  tx: Executor,
  repo: Pick<Repository, 'id' | 'ownerId'>,
): Promise<Repository> {
  const now = await holdRepository(ctx, tx, repo)
  if (now.ownerId !== repo.ownerId) throw notFound()
  return now
}
