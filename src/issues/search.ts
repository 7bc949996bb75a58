import { isSiteAdmin, type Caller, type Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Query } from '../http/query.ts'
import { isOfTeam } from '../repositories/conditions.ts'
import { isVisibleRepository } from '../repositories/visibility.ts'
import type { Account } from '../users/account.ts'
import { loadVisibleAccount } from '../users/load.ts'
import {
  awaitsReviewOf,
  filtersOf,
  hasAnyLabel,
  isIn,
  isOwnedBy,
  isReadable,
  isReviewedBy,
  type IssueCondition,
  type IssueFilter,
  type Wanted,
} from './conditions.ts'
import { readFilter, readKinds, readNames, readPerson } from './list.ts'
import { findLabelsNamed, findMilestonesNamed, findTeamOf } from './search-queries.ts'

/** What the query asks of all issues that the caller may read. */
export async function wantedEverywhere(
  ctx: Context,
  caller: Caller,
  query: Query,
): Promise<Wanted> {
  const visible = isVisibleRepository(ctx.config, caller)
  const owned = await ownedBy(ctx, caller, query)
  const createdBy = await readPerson(ctx, query, 'created_by')
  const milestones = await findMilestonesNamed(ctx.db, readNames(query, 'milestones'), visible)
  const labels = await findLabelsNamed(ctx.db, readNames(query, 'labels'), visible)
  const conditions = [
    ...owned,
    ...filtersOf({
      ...readFilter(query),
      createdBy,
      milestoneIds: milestones.length === 0 ? undefined : milestones,
    }),
    ...(labels.length === 0 ? [] : [hasAnyLabel(labels)]),
    ...ownOf(caller, query),
  ]
  const ofPlace = isReadable(ctx.config, caller, readKinds(query))
  return { conditions, ofPlace, isWide: true }
}

/** What concerns the caller; an anonymous one has no such thing, and is not asked. */
function ownOf({ account }: Caller, query: Query): readonly IssueCondition[] {
  if (!account) return []
  const { id } = account
  const none: IssueFilter = { state: 'all', keyword: '' }
  return [
    ...(query.boolean('created') ? filtersOf({ ...none, createdBy: id }) : []),
    ...(query.boolean('assigned') ? filtersOf({ ...none, assignedTo: id }) : []),
    ...(query.boolean('mentioned') ? filtersOf({ ...none, mentioning: id }) : []),
    ...(query.boolean('review_requested') ? [awaitsReviewOf(id)] : []),
    ...(query.boolean('reviewed') ? [isReviewedBy(id)] : []),
  ]
}

async function ownedBy(
  ctx: Context,
  caller: Caller,
  query: Query,
): Promise<readonly IssueCondition[]> {
  const ownerName = query.text('owner') ?? ''
  const teamName = query.text('team') ?? ''
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
