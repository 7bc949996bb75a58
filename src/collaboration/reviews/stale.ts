import type { Executor } from '../../platform/db/database.ts'
import { dismissReviews, markStale } from './queries.ts'

/**
 * What was said of a pull request into another branch is not said of this one: there it may bring
 * other commits, and other rules may hold. Who wants changes still wants them.
 */
export async function staleForBase(
  tx: Executor,
  issueId: number,
  { now }: { readonly now: number },
): Promise<void> {
  await staleReviews(tx, issueId, { dismissing: true, now })
}

/** What was said of the commits before is not said of those that came now. */
export async function staleReviews(
  tx: Executor,
  issueId: number,
  { dismissing, now }: { readonly dismissing: boolean; readonly now: number },
): Promise<void> {
  await markStale(tx, issueId)
  if (dismissing) await dismissReviews(tx, issueId, { now })
}
