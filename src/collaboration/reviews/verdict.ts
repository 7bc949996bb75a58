import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Pull } from '../pulls/pull.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { findAllById } from '../../identity/users/load.ts'
import { findOfficialReviewers, readersOfPulls } from './official.ts'
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
  view: RepositoryView,
  { issueId, baseBranch }: Pick<Pull, 'issueId' | 'baseBranch'>,
  { ignoresStaleApprovals }: { readonly ignoresStaleApprovals: boolean },
): Promise<Verdict> {
  const decisions = await findDecisions(ctx.db, issueId)
  const official = decisions.filter(({ isOfficial }) => isOfficial)
  const approvals = official.filter(
    ({ state, isStale }) => state === 'APPROVED' && !(ignoresStaleApprovals && isStale),
  )
  const approvers = approvals.flatMap(({ reviewerId }) => reviewerId ?? [])
  const counting = await countingNow(ctx, view, baseBranch, [...new Set(approvers)])
  const requests = await findRequests(ctx.db, issueId)
  return {
    approvals: counting.size,
    isRejected: official.some(({ state }) => state === 'REQUEST_CHANGES'),
    isAwaited: requests.some(({ isOfficial }) => isOfficial),
  }
}

/** What a verdict is made of, by its parts in the database. */
export async function votesOn(db: Executor, issueId: number): Promise<readonly unknown[]> {
  const decisions = await findDecisions(db, issueId)
  const requests = await findRequests(db, issueId)
  return [
    decisions.map(({ id, state, isStale, isOfficial }) => [id, state, isStale, isOfficial]),
    requests.map(({ id, isOfficial }) => [id, isOfficial]),
  ]
}

/** Whoever may use their account no longer, or lost the right, approves nothing any more. */
async function countingNow(
  ctx: Context,
  view: RepositoryView,
  branch: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const people = [...(await findAllById(ctx.db, ids)).values()]
  const present = people.filter(({ isActive, prohibitLogin }) => isActive && !prohibitLogin)
  const readers = await readersOfPulls(ctx, view, present)
  return findOfficialReviewers(ctx, view, branch, readers)
}
