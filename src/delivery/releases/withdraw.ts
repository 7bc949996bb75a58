import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { tagOf } from '../../platform/git/ref-update.ts'
import type { PushListener, RecordedPush } from '../../code/pushes/listener.ts'
import { forgetPublishing } from './told.ts'
import { draftReleasesOf, recountReleases } from './queries.ts'

/**
 * A release whose tag was deleted is a draft again, files and all, until somebody publishes it with
 * a new one.
 */
async function withdrawReleases(
  ctx: Context,
  tx: Executor,
  { view, updates }: RecordedPush,
): Promise<void> {
  const gone = updates.flatMap(({ ref, after }) => (after ? [] : (tagOf(ref) ?? [])))
  if (gone.length > 0) await withdraw(ctx, tx, view.repo.id, gone)
}

export const releasesOfPush: PushListener = { inTransaction: withdrawReleases }

/** Makes the releases of these tags drafts. */
export async function withdraw(
  ctx: Context,
  tx: Executor,
  repositoryId: number,
  tagNames: readonly string[],
): Promise<void> {
  await lock(ctx.db.dialect, tx, 'releases', repositoryId)
  const drafted = await draftReleasesOf(tx, repositoryId, tagNames, ctx.now())
  await forgetPublishing(tx, repositoryId, drafted)
  await recountReleases(tx, repositoryId)
}
