import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Issue } from '../issues/issue.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { askCodeOwners } from '../reviews/ask-owners.ts'
import { isDraft } from './pull.ts'
import { findPull } from './queries.ts'

/** Code owners are not asked about a draft, so they are when it is none any more. */
export async function askOwnersWhenReady(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { before, after }: { readonly before: Issue; readonly after: Issue },
): Promise<void> {
  if (after.isClosed || !isDraft(before.title) || isDraft(after.title)) return
  const pull = await findPull(ctx.db, after.id)
  if (pull) await askCodeOwners(ctx, caller, view, { issue: after, pull })
}
