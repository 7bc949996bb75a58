import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { shareLock } from '../../platform/db/lock.ts'
import { notFound } from '../../platform/errors.ts'
import { findRelease } from './queries.ts'
import type { Release } from './release.ts'

/** For what is added to a release: until the transaction ends, nobody deletes it. */
export async function holdRelease(
  ctx: Context,
  tx: Executor,
  { repositoryId, id }: Release,
): Promise<void> {
  await shareLock(ctx.db.dialect, tx, 'releases', repositoryId)
  const current = await findRelease(tx, repositoryId, id)
  if (!current || current.isTag) throw notFound()
}
