import type { Context, SignedInCaller } from '../../platform/context.ts'
import { findReasons, reasons, type Reason } from './reason-queries.ts'
import type { ThreadView } from './view.ts'

/**
 * By the id of the issue, the first of the reasons that holds now; none where what was one is over.
 */
export async function reasonsOf(
  { db }: Context,
  { account }: SignedInCaller,
  views: readonly ThreadView[],
): Promise<ReadonlyMap<number, Reason>> {
  const ids = views.flatMap(({ about }) => ('issue' in about ? about.issue.id : []))
  const found = await findReasons(db, account.id, ids)
  const ordered = found.toSorted((a, b) => reasons.indexOf(b.reason) - reasons.indexOf(a.reason))
  // Of each issue the last counts.
  return new Map(ordered.map(({ issueId, reason }) => [issueId, reason]))
}
