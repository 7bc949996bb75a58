import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { isOfTeam } from '../../repositories/repository/conditions.ts'
import { isVisibleRepository } from '../../repositories/repository/visibility.ts'
import type { Account } from '../../identity/users/account.ts'
import { loadVisibleAccount } from '../../identity/users/load.ts'
import {
  awaitsReviewOf,
  filtersOf,
  hasLabelNamed,
  hasMilestoneTitled,
  isIn,
  isOwnedBy,
  isReadable,
  isReviewedBy,
  type IssueCondition,
  type IssueFilter,
  type Wanted,
} from './conditions.ts'
import { findPerson, timesAndWords } from './list.ts'
import type { Concern, WideQuestion } from './question.ts'
import { findTeamOf, isLabelKnown, isMilestoneKnown } from './search-queries.ts'

/** What is asked of all issues that the caller may read. */
export async function wantedEverywhere(
  ctx: Context,
  caller: Caller,
  question: WideQuestion,
): Promise<Wanted> {
  const visible = isVisibleRepository(ctx.config, caller)
  const owned = await ownedBy(ctx, caller, question)
  const createdBy = await findPerson(ctx, question.createdBy)
  const { milestones = [], labels = [] } = question
  const isOfMilestone = await isMilestoneKnown(ctx.db, milestones, visible)
  const isLabelled = await isLabelKnown(ctx.db, labels, visible)
  const conditions = [
    ...owned,
    ...filtersOf({ ...timesAndWords(question), createdBy }),
    ...(isOfMilestone ? [hasMilestoneTitled(milestones)] : []),
    ...(isLabelled ? [hasLabelNamed(labels, visible)] : []),
    ...concerning(caller, question.concerns ?? []),
  ]
  const ofPlace = isReadable(ctx.config, caller, question.kinds)
  return { conditions, ofPlace, isWide: true }
}

/** An anonymous caller has no such thing, and is not asked. */
function concerning({ account }: Caller, concerns: readonly Concern[]): readonly IssueCondition[] {
  return account ? concerns.flatMap((concern) => conditionsOf[concern](account.id)) : []
}

const none: IssueFilter = { state: 'all', keyword: '' }

const conditionsOf: Readonly<Record<Concern, (id: number) => readonly IssueCondition[]>> = {
  created: (id) => filtersOf({ ...none, createdBy: id }),
  assigned: (id) => filtersOf({ ...none, assignedTo: id }),
  mentioned: (id) => filtersOf({ ...none, mentioning: id }),
  review_requested: (id) => [awaitsReviewOf(id)],
  reviewed: (id) => [isReviewedBy(id)],
}

async function ownedBy(
  ctx: Context,
  caller: Caller,
  { owner: ownerName = '', team: teamName = '' }: WideQuestion,
): Promise<readonly IssueCondition[]> {
  if (ownerName === '') {
    if (teamName === '') return []
    throw new AppError('bad_request', 'Owner organisation is required for filtering on team')
  }
  const owner = await loadOwner(ctx, caller, ownerName)
  const isOwned = isOwnedBy(owner.id)
  if (teamName === '') return [isOwned]
  const memberId = isSiteAdmin(caller) ? undefined : (caller.account?.id ?? 0)
  const teamId = await findTeamOf(ctx.db, owner.id, teamName, memberId)
  if (teamId === undefined) throw new AppError('bad_request', 'Team not found')
  return [isOwned, isIn(isOfTeam(teamId))]
}

/** Whom the caller may not see is not there; nobody is sent on to a new name from here. */
async function loadOwner(ctx: Context, caller: Caller, name: string): Promise<Account> {
  try {
    return await loadVisibleAccount(ctx, caller, name)
  } catch (cause) {
    throw new AppError('bad_request', 'Owner not found', { cause })
  }
}
