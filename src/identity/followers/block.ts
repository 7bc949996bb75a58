import type { Caller, Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock, shareLock } from '../../platform/db/lock.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { AppError, forbidden } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { isShownTo } from '../users/visibility.ts'
import {
  countFollow,
  deleteBlock,
  deleteFollow,
  insertBlock,
  isBlockedByAny,
  isBlocking,
  isMemberOf,
  listRelated,
  type Pair,
} from './queries.ts'
import {
  deleteAssignments,
  deleteCollaborations,
  deleteMarks,
  deleteOffers,
} from './tie-queries.ts'

/** Whether either of the two blocks the other. */
export async function blockExists(db: Executor, { from, to }: Pair): Promise<boolean> {
  return (await isBlocking(db, { from, to })) || isBlocking(db, { from: to, to: from })
}

/** For what somebody does on ground of others; those who blocked them are not to be bothered. */
export async function assertNotBlocked(
  db: Executor,
  accountId: number,
  blockerIds: readonly (number | undefined)[],
): Promise<void> {
  // Nobody blocks themselves.
  const ids = blockerIds.filter((id) => id !== undefined).filter((id) => id !== accountId)
  if (await isBlockedByAny(db, accountId, ids)) throw forbidden('user is blocked')
}

/** Until the transaction ends nobody blocks anybody. */
export async function holdBlocks(ctx: Context, tx: Executor): Promise<void> {
  await lock(ctx.db.dialect, tx, 'follows')
}

/** Like `holdBlocks`, for many at once who change nothing that has to do with who follows whom. */
export async function shareBlocks(ctx: Context, tx: Executor): Promise<void> {
  await shareLock(ctx.db.dialect, tx, 'follows')
}

/**
 * Neither of the two blocks the other until the transaction ends, so that they can be tied
 * together.
 */
export async function holdUnblocked(ctx: Context, tx: Executor, pair: Pair): Promise<void> {
  await holdBlocks(ctx, tx)
  if (await blockExists(tx, pair)) throw forbidden('user is blocked', { reason: 'is_blocked' })
}

/**
 * Also ends following and working together, both ways, and what the blocked one has to do with
 * repositories of the blocker: a block under which the other still follows or writes would be none.
 */
export async function blockAccount(
  ctx: Context,
  actor: Account,
  blocker: Account,
  blocked: Account,
): Promise<void> {
  if (blocked.kind === 'organization') {
    throw new AppError('bad_request', 'cannot block an organization', { reason: 'is_organization' })
  }
  if (blocker.id === blocked.id)
    throw new AppError('bad_request', 'cannot block oneself', { reason: 'is_oneself' })
  const pair = { from: blocker.id, to: blocked.id }
  await ctx.db.transaction().execute(async (tx) => {
    await holdBlocks(ctx, tx)
    if (await isMemberOf(tx, { from: blocked.id, to: blocker.id })) {
      throw new AppError('bad_request', 'cannot block a member of the organization', {
        reason: 'is_member',
      })
    }
    if (!(await insertBlock(tx, pair, ctx.now()))) {
      throw new AppError('bad_request', 'the user is blocked already', {
        reason: 'blocked_already',
      })
    }
    // Repositories before accounts, as whoever stars holds them.
    await endTies(ctx, tx, actor, pair)
    for (const one of [pair, { from: pair.to, to: pair.from }]) {
      if (await deleteFollow(tx, one)) await countFollow(tx, one, -1)
    }
  })
}

/** Issues whose assignee was taken away by a block. */
export interface Unassigned {
  readonly actorId: number
  readonly assigneeId: number
  readonly issueIds: readonly number[]
}

async function endTies(
  ctx: Context,
  tx: Executor,
  actor: Account,
  { from: blockerId, to: blockedId }: Pair,
): Promise<void> {
  const theirs = { accountId: blockedId, ownerId: blockerId }
  const own = { accountId: blockerId, ownerId: blockedId }
  for (const tie of [theirs, own]) {
    await deleteCollaborations(tx, tie)
    await deleteOffers(tx, tie)
  }
  await deleteMarks(tx, theirs, { privateOnly: false })
  // What others show to everybody may still be starred.
  await deleteMarks(tx, own, { privateOnly: true })
  const issueIds = await deleteAssignments(tx, theirs)
  await ctx.above.onUnassigned(ctx, tx, { actorId: actor.id, assigneeId: blockedId, issueIds })
}

export async function listBlocked(
  ctx: Context,
  caller: Caller,
  blocker: Account,
  page: Page,
): Promise<PageOf<Account>> {
  return listRelated(ctx.db, 'blocks', blocker.id, isShownTo(ctx.config, caller), page)
}

export async function unblockAccount(
  ctx: Context,
  blocker: Account,
  blocked: Account,
): Promise<void> {
  if (!(await deleteBlock(ctx.db, { from: blocker.id, to: blocked.id }))) {
    throw new AppError('bad_request', 'the user is not blocked')
  }
}
