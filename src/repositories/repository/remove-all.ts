import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { holdOrganization } from '../../identity/organizations/hold.ts'
import type { Account } from '../../identity/users/account.ts'
import { findById } from '../../identity/users/load.ts'
import { findRepositoryById } from './queries.ts'
import { deleteRemoval, findNextRemoval, holdOwned, insertRemovals } from './removal-queries.ts'
import { dropRepository, holdForRemoval } from './remove.ts'
import { isVisibleRepository } from './visibility.ts'
import { lacksSecondFactor } from '../../identity/users/second-factor.ts'

/**
 * Everything that the caller sees of the organization is to go, and nothing that comes later. A job
 * does it, which may take long; false when there is nothing to do.
 */
export async function markAllForRemoval(
  ctx: Context,
  caller: SignedInCaller,
  org: Account,
): Promise<boolean> {
  if (lacksSecondFactor(ctx, caller)) throw notFound()
  const asked = { organizationId: org.id, actorId: caller.account.id }
  const isInWork = await ctx.db.transaction().execute(async (tx) => {
    await holdOrganization(ctx, tx, org.id)
    const marked = await insertRemovals(tx, org.id, isVisibleRepository(ctx.config, caller))
    // Whoever marked the others has a job for them.
    if (marked > 0) await ctx.jobs.enqueue(tx, 'remove_repositories', asked)
    return marked > 0 || (await findNextRemoval(tx, org.id, 0)) !== undefined
  })
  ctx.jobs.wake()
  return isInWork
}

/** As long as this nobody takes whoever deletes an owner for dead. */
const PATIENCE_SECONDS = 600

/**
 * Everything that an owner has who is about to go is to go first, even if nobody lives to see the
 * end of it.
 */
export async function markOwned(ctx: Context, tx: Executor, ownerId: number): Promise<void> {
  const marked = await insertRemovals(tx, ownerId)
  if (marked === 0) return
  await ctx.jobs.enqueue(tx, 'remove_repositories', removalOf(ownerId), {
    delaySeconds: PATIENCE_SECONDS,
  })
}

/** Each by itself, so that others write in between: thousands take as many milliseconds. */
export async function removeOwned(ctx: Context, ownerId: number): Promise<void> {
  await removeMarked(ctx, removalOf(ownerId), new AbortController().signal)
}

/** When all of it is gone. */
export async function forgetOwned(ctx: Context, tx: Executor, ownerId: number): Promise<void> {
  await ctx.jobs.forget(tx, 'remove_repositories', removalOf(ownerId))
}

function removalOf(organizationId: number): Jobs['remove_repositories'] {
  return { organizationId, actorId: 0 }
}

/**
 * The job: each by itself, as if it alone were deleted. One that fails is tried again after the
 * others.
 */
export async function removeMarked(
  ctx: Context,
  { organizationId: ownerId, actorId }: Jobs['remove_repositories'],
  ending: AbortSignal,
): Promise<void> {
  const actor = await findById(ctx, actorId)
  const failures: unknown[] = []
  let id: number | undefined = 0
  while ((id = await findNextRemoval(ctx.db, ownerId, id)) !== undefined) {
    ending.throwIfAborted()
    await removeOne(ctx, { id, ownerId }, actor).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function removeOne(
  ctx: Context,
  marked: { readonly id: number; readonly ownerId: number },
  actor: Account | undefined,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await holdForRemoval(ctx, tx, marked.id)
    const isTheirs = await holdOwned(tx, marked)
    const repo = isTheirs ? await findRepositoryById(tx, marked.id) : undefined
    if (repo) await dropRepository(ctx, tx, repo, actor)
    else await deleteRemoval(tx, marked.id)
  })
  ctx.jobs.wake()
}
