import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { lock } from '../db/lock.ts'
import { tagOf, type RefUpdate } from '../git/ref-update.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { isTagged } from './publish.ts'
import { draftReleasesOf, recountReleases } from './queries.ts'
import type { Release } from './release.ts'

/** A release whose tag was deleted is a draft again, files and all, until somebody publishes it with a new one. */
export async function withdrawReleases(
  ctx: Context,
  tx: Executor,
  repositoryId: number,
  updates: readonly RefUpdate[],
): Promise<void> {
  const gone = updates.flatMap(({ ref, after }) => (after ? [] : (tagOf(ref) ?? [])))
  if (gone.length > 0) await withdraw(ctx, tx, repositoryId, gone)
}

async function withdraw(
  ctx: Context,
  tx: Executor,
  repositoryId: number,
  tagNames: readonly string[],
): Promise<void> {
  await lock(ctx.db.dialect, tx, 'releases', repositoryId)
  await draftReleasesOf(tx, repositoryId, tagNames, ctx.now())
  await recountReleases(tx, repositoryId)
}

/** Whoever deleted the tag between its making and the release withdrew nothing, since there was none yet. */
export async function withdrawUntagged(
  ctx: Context,
  view: RepositoryView,
  { repositoryId, tagName, isDraft }: Release,
): Promise<void> {
  if (isDraft || (await isTagged(ctx, view, tagName))) return
  await ctx.db.transaction().execute((tx) => withdraw(ctx, tx, repositoryId, [tagName]))
}
