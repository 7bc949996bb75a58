import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { isAnybodyListening } from '../../events/webhooks/announce.ts'
import { findChangedPages } from './changed-pages.ts'
import { afterWikiChange, mendHead } from './after-change.ts'

/** Clones find something to check out at once, and who listens hears of the pages. */
export async function afterWikiPush(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  folder: string,
  moved: readonly RefUpdate[],
): Promise<void> {
  if (moved.length === 0) return
  await mendHead(ctx, folder)
  const isHeard = await isAnybodyListening(ctx, repo.id, ['wiki'])
  const pages = isHeard ? await findChangedPages(ctx, folder, moved) : []
  await afterWikiChange(ctx, caller, repo, pages)
}
