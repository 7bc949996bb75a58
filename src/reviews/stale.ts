import type { Executor } from '../db/database.ts'
import { dismissReviews, markStale } from './queries.ts'

/** What was said of the commits before is not said of those that came now. */
export async function staleReviews(
  tx: Executor,
  issueId: number,
  { dismissing, now }: { readonly dismissing: boolean; readonly now: number },
): Promise<void> {
  await markStale(tx, issueId)
  if (dismissing) await dismissReviews(tx, issueId, { now })
}
