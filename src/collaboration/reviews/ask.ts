import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, invalid } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue } from '../issues/load.ts'
import { isAuthor, writesIssue } from '../issues/rights.ts'
import type { FoundPull } from '../pulls/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isOfficialReviewer } from './official.ts'
import { findInvolved } from './queries.ts'
import {
  loadWithdrawn,
  planRequests,
  requestReviews,
  withdrawRequests,
  type Requests,
  type WantedReviewers,
} from './request.ts'
import type { Review } from './review.ts'

/** The author, those who write and those whose word counts choose who reviews. */
export async function canChooseReviewers(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { issue, pull }: FoundPull,
): Promise<boolean> {
  if (isAuthor(caller, issue) || writesIssue(view, issue)) return true
  return isOfficialReviewer(ctx, view, pull.baseBranch, caller.account)
}

export async function askForReviews(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  wanted: WantedReviewers,
): Promise<readonly Review[]> {
  if (!(await canChooseReviewers(ctx, caller, view, { issue, pull }))) {
    throw invalid("Doer can't choose reviewer")
  }
  const plan = await planRequests(ctx, view, issue.authorId ?? 0, wanted, pull.baseBranch)
  const asked = await changeIssue(ctx, issue, async (tx, current) => {
    if (current.isClosed) await assertNotAsked(tx, current, plan)
    return requestReviews(ctx, tx, caller, issue, plan)
  })
  ctx.jobs.wake()
  return asked
}

/** Nobody looks again at what is over. */
async function assertNotAsked(tx: Executor, { id }: Issue, { people }: Requests): Promise<void> {
  const known = await findInvolved(tx, id)
  if (people.every(({ person }) => !known.people.has(person.id))) return
  throw forbidden('cannot request a re-review on a closed PR')
}

/** The author and those who write here withdraw requests, and everybody those to themselves. */
export async function askNoLonger(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { issue }: FoundPull,
  wanted: WantedReviewers,
): Promise<void> {
  const withdrawn = await loadWithdrawn(ctx, view, wanted)
  const isOwnOnly =
    withdrawn.teams.length === 0 && withdrawn.people.every(({ id }) => id === caller.account.id)
  if (!isOwnOnly && !isAuthor(caller, issue) && !writesIssue(view, issue)) {
    throw invalid("Doer can't remove reviewer")
  }
  await changeIssue(ctx, issue, (tx) => withdrawRequests(ctx, tx, caller, issue, withdrawn))
  ctx.jobs.wake()
}
