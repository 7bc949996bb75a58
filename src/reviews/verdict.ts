import type { Context } from '../context.ts'
import { findDecisions, findRequests } from './queries.ts'

/** What the reviews that count come to. */
export interface Verdict {
  readonly approvals: number
  readonly isRejected: boolean
  /** Somebody who counts has been asked and has not answered. */
  readonly isAwaited: boolean
}

export async function loadVerdict(
  ctx: Context,
  issueId: number,
  { ignoresStaleApprovals }: { readonly ignoresStaleApprovals: boolean },
): Promise<Verdict> {
  const decisions = await findDecisions(ctx.db, issueId)
  const official = decisions.filter(({ isOfficial }) => isOfficial)
  const approvals = official.filter(
    ({ state, isStale }) => state === 'APPROVED' && !(ignoresStaleApprovals && isStale),
  )
  const requests = await findRequests(ctx.db, issueId)
  return {
    approvals: new Set(approvals.map(({ reviewerId }) => reviewerId)).size,
    isRejected: official.some(({ state }) => state === 'REQUEST_CHANGES'),
    isAwaited: requests.some(({ isOfficial }) => isOfficial),
  }
}
