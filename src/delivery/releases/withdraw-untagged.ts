import type { Context } from '../../platform/context.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isTagged } from './publish.ts'
import type { Release } from './release.ts'
import { withdraw } from './withdraw.ts'

/**
 * Whoever deleted the tag between its making and the release withdrew nothing, since there was none
 * yet.
 */
export async function withdrawUntagged(
  ctx: Context,
  view: RepositoryView,
  { repositoryId, tagName, isDraft }: Release,
): Promise<void> {
  if (isDraft || (await isTagged(ctx, view, tagName))) return
  await ctx.db.transaction().execute((tx) => withdraw(ctx, tx, repositoryId, [tagName]))
}
