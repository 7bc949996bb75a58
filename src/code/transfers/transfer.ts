import { logRightsChange } from '../../platform/audit.ts'
import { recordActivity } from '../../events/activity/record.ts'
import { reaches } from '../../platform/access-level.ts'
import { callerOf, type Caller, type Context, type SignedInCaller } from '../../platform/context.ts'
import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import { AppError, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { assertNotBlocked, holdBlocks } from '../../identity/followers/block.ts'
import { loadStanding } from '../../identity/organizations/load.ts'
import { assertTakenIn } from '../../repositories/repository/quota.ts'
import { endCollaboration, endReading } from '../../repositories/repository/collaboration.ts'
import { holdUnmoved } from '../../repositories/repository/hold.ts'
import { findAt, repositoriesById } from '../../repositories/repository/load.ts'
import { mayCreateFor } from '../../repositories/repository/may-create.ts'
import { assertStillWithinLimit } from '../../repositories/repository/limit.ts'
import { moveRepository, nameIsTaken } from '../../repositories/repository/move.ts'
import { mayReuse } from '../../repositories/repository/redirects.ts'
import type { Repository, RepositoryPath } from '../../repositories/repository/repository.ts'
import { holdTracker } from '../../repositories/repository/tracker.ts'
import {
  viewRepositories,
  viewRepository,
  type RepositoryView,
} from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById, findById } from '../../identity/users/load.ts'
import { announceRepository } from '../../repositories/repository/webhook-events.ts'
import { comesAlong, isAsSeen, type ComesAlong } from './comes-along.ts'
import {
  deleteTransfer,
  findOffersTo,
  findTeamOwners,
  findTransfer,
  grantReading,
  insertTransfer,
  offeredAlready,
  replaceTeams,
} from './queries.ts'

/**
 * Hands a repository over at once where the caller could create one there; otherwise it is offered.
 */
export async function offerTransfer(
  ctx: Context,
  caller: SignedInCaller,
  { repo, owner }: RepositoryView,
  newOwner: Account,
  teamIds: readonly number[],
): Promise<'done' | 'offered'> {
  await assertTeams(ctx, newOwner, teamIds)
  await assertNotBlocked(ctx.db, caller.account.id, [newOwner.id])
  if (await findTransfer(ctx.db, repo.id)) throw offeredAlready()
  if (await nameIsTaken(ctx, newOwner.id, repo.name)) throw taken(newOwner, repo)
  if (await mayCreateFor(ctx, caller, newOwner)) {
    await complete(ctx, caller, { repo, oldOwner: owner, newOwner, teamIds })
    return 'done'
  }
  await ctx.db.transaction().execute(async (tx) => {
    await holdBlocks(ctx, tx)
    await assertNotBlocked(tx, caller.account.id, [newOwner.id])
    const { isPrivate } = await holdUnmoved(ctx, tx, repo)
    const reads = isPrivate && newOwner.kind === 'person'
    const granted = reads && (await grantReading(tx, repo.id, newOwner.id, ctx.now()))
    await insertTransfer(tx, {
      repository_id: repo.id,
      offered_by_id: caller.account.id,
      recipient_id: newOwner.id,
      team_ids: JSON.stringify(teamIds),
      granted_read: granted ? 1 : 0,
      created_at: ctx.now(),
    })
    const offer = { repositoryId: repo.id, recipientId: newOwner.id }
    for (const part of ctx.above.partsOfRepositories) {
      await part.onOffer?.(ctx, tx, caller.account.id, offer)
    }
  })
  ctx.jobs.wake()
  return 'offered'
}

/** For the caller who decides on it: who and what has access afterwards. */
export async function loadComingAlong(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
): Promise<ComesAlong | undefined> {
  if (!view.transfer || !(await isOfferedTo(ctx, caller, view))) return undefined
  return comesAlong(ctx, view.repo.id, view.transfer.recipient.id)
}

/**
 * What is offered is decided on by those whom it is offered to, even where it is not shown to them.
 */
export async function findOffered(
  ctx: Context,
  caller: Caller,
  path: RepositoryPath,
): Promise<RepositoryView | undefined> {
  if (!caller.account || caller.publicOnly) return undefined
  const repo = await findAt(ctx, path)
  const offer = repo && (await findTransfer(ctx.db, repo.id))
  if (!offer || !(await ownsFor(ctx, caller.account, offer.recipient_id))) return undefined
  return viewRepository(ctx, caller, repo)
}

/** All that the caller decides on. */
export async function listOffers(
  ctx: Context,
  caller: SignedInCaller,
): Promise<readonly RepositoryView[]> {
  const ids = await findOffersTo(ctx.db, caller.account.id)
  if (ids.length === 0) return []
  const repos = await repositoriesById(ctx.db, ids)
  const found = ids.flatMap((id) => repos.get(id) ?? [])
  return viewRepositories(ctx, caller, found)
}

/** Whether the caller is the one who decides on a pending offer. */
export async function isOfferedTo(
  ctx: Context,
  { account }: Caller,
  { transfer }: RepositoryView,
): Promise<boolean> {
  return (
    account !== undefined &&
    transfer !== undefined &&
    (await ownsFor(ctx, account, transfer.recipient.id))
  )
}

/**
 * With what is `seen` to come along, and nothing else; whoever says nothing of it takes all of it.
 */
export async function acceptTransfer(
  ctx: Context,
  caller: SignedInCaller,
  { repo, owner }: RepositoryView,
  seen?: string,
): Promise<void> {
  const { newOwner, teamIds } = await loadOffer(ctx, caller, repo)
  if (!(await isStillMeant(ctx, ctx.db, repo))) {
    await ctx.db.transaction().execute((tx) => endOffer(tx, repo.id))
    throw noOffer(repo)
  }
  await complete(ctx, caller, { repo, oldOwner: owner, newOwner, teamIds, isOffered: true, seen })
}

export async function rejectTransfer(
  ctx: Context,
  caller: SignedInCaller,
  { repo }: RepositoryView,
): Promise<void> {
  const { newOwner } = await loadOffer(ctx, caller, repo)
  await ctx.db.transaction().execute(async (tx) => {
    if ((await endOffer(tx, repo.id)) !== newOwner.id) throw noOffer(repo)
  })
}

/** Takes an offer back, as whoever could make it may. It may have been decided on meanwhile. */
export async function cancelTransfer(ctx: Context, { repo }: RepositoryView): Promise<void> {
  await ctx.db.transaction().execute((tx) => endOffer(tx, repo.id))
}

/** Whoever made it could still make it: an offer does not outlive the right to hand over. */
async function isStillMeant(ctx: Context, db: Executor, repo: Repository): Promise<boolean> {
  const offer = await findTransfer(db, repo.id)
  const maker = offer && (await findAllById(db, [offer.offered_by_id])).get(offer.offered_by_id)
  if (!maker?.isActive || maker.prohibitLogin) return false
  const { access } = await viewRepository({ ...ctx, db }, callerOf(maker), repo)
  return reaches(access.level, 'owner')
}

/**
 * What was readable only because of the offer is so no longer. Gives whom it was made to; there may
 * be none any more.
 */
async function endOffer(tx: Executor, repositoryId: number): Promise<number | undefined> {
  const offer = await deleteTransfer(tx, repositoryId)
  if (offer?.granted_read === 1) await endReading(tx, repositoryId, offer.recipient_id)
  return offer?.recipient_id
}

function changed(): AppError {
  return new AppError('precondition_failed', 'what comes with the repository has changed')
}

function noOffer({ id }: Repository): AppError {
  return notFound(`repository doesn't have a pending transfer [repo_id: ${id}]`)
}

interface Offer {
  readonly newOwner: Account
  readonly teamIds: readonly number[]
}

/** The pending offer, for the one it is made to: not even who made it can decide. */
async function loadOffer(ctx: Context, caller: SignedInCaller, repo: Repository): Promise<Offer> {
  const row = await findTransfer(ctx.db, repo.id)
  const newOwner = row && (await findById(ctx, row.recipient_id))
  if (!row || !newOwner) throw noOffer(repo)
  if (!(await ownsFor(ctx, caller.account, newOwner.id))) throw forbidden('permission denied')
  return { newOwner, teamIds: JSON.parse(row.team_ids) as number[] }
}

/** Whether an account, or an organization that it owns, is the new owner. */
export async function ownsFor(
  ctx: Context,
  account: Account,
  newOwnerId: number,
): Promise<boolean> {
  if (newOwnerId === account.id) return true
  return (await loadStanding(ctx, callerOf(account), { id: newOwnerId })).level === 'owner'
}

interface Handover {
  readonly repo: Repository
  readonly oldOwner: Account
  readonly newOwner: Account
  readonly teamIds: readonly number[]
  /** Then the offer has to stand still. */
  readonly isOffered?: boolean
  readonly seen?: string | undefined
}

async function complete(ctx: Context, caller: SignedInCaller, handover: Handover): Promise<void> {
  const { repo, oldOwner, newOwner } = handover
  try {
    await ctx.db.transaction().execute((tx) => moveAll(ctx, tx, caller, handover))
  } catch (error) {
    if (isDuplicate(error)) throw taken(newOwner, repo, error)
    throw error
  }
  ctx.jobs.wake()
  const details = { repository: repo.id, repositoryName: repo.name }
  const owners = { from: oldOwner.name, to: newOwner.name }
  logRightsChange(ctx.log, 'repository transferred', { ...details, ...owners })
}

async function moveAll(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  { repo: loaded, oldOwner, newOwner, teamIds, isOffered = false, seen }: Handover,
): Promise<void> {
  // Nobody puts its issues on a board of the old owner any more.
  await holdTracker(ctx, tx, loaded.id)
  const repo = await holdUnmoved(ctx, tx, loaded)
  if (isOffered && !(await isStillMeant(ctx, tx, repo))) throw noOffer(repo)
  if (seen !== undefined && !(await isAsSeen(tx, repo.id, newOwner.id, seen))) throw changed()
  // As for one that is made there.
  await assertStillWithinLimit(ctx, tx, caller, newOwner)
  if (!(await mayReuse(ctx, tx, caller, newOwner.id, repo.name))) throw taken(newOwner, repo)
  await assertTakenIn(ctx, tx, repo.id, newOwner.id)
  await moveRepository(tx, repo, newOwner.id)
  for (const part of ctx.above.partsOfRepositories) await part.onTransfer?.(tx, repo)
  const offeredTo = await endOffer(tx, repo.id)
  if (isOffered && offeredTo !== newOwner.id) throw noOffer(repo)
  if (!isOffered && offeredTo !== undefined) throw offeredAlready()
  await endCollaboration(tx, repo.id, newOwner.id)
  await replaceTeams(tx, repo.id, { ownerId: newOwner.id, teamIds })
  await recordActivity(tx, {
    repositoryId: repo.id,
    accountId: caller.account.id,
    kind: 'transfer_repo',
    content: `${oldOwner.name}/${repo.name}`,
    isPrivate: repo.isPrivate,
    at: ctx.now(),
  })
  const changes = { owner: { from: oldOwner.name } }
  await announceRepository(ctx, tx, caller.account, repo.id, 'transferred', changes)
}

async function assertTeams(ctx: Context, owner: Account, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  if (owner.kind !== 'organization') {
    throw invalid('Teams can only be added to organization-owned repositories')
  }
  const owners = await findTeamOwners(ctx.db, ids)
  for (const id of ids) {
    if (!owners.has(id)) throw invalid(`team ${id} not found`)
    if (owners.get(id) !== owner.id) throw forbidden(`team ${id} belongs not to org ${owner.id}`)
  }
}

function taken(owner: Account, repo: Repository, cause?: unknown): Error {
  const message = `repository already exists [uname: ${owner.name}, name: ${repo.name}]`
  return invalid(message, { cause, reason: 'name_taken' })
}
