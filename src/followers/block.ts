import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { lock } from '../db/lock.ts'
import { AppError, forbidden } from '../errors.ts'
import type { Account } from '../users/account.ts'
import {
  countFollow,
  deleteBlock,
  deleteFollow,
  insertBlock,
  isBlockedByAny,
  isBlocking,
  isMemberOf,
  type Pair,
} from './queries.ts'

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
  const ids = blockerIds.filter((id) => id !== undefined)
  if (await isBlockedByAny(db, accountId, ids)) throw forbidden('user is blocked')
}

/** Also ends following, both ways: a block under which the other still follows would be none. */
export async function blockAccount(
  ctx: Context,
  blocker: Account,
  blocked: Account,
): Promise<void> {
  if (blocked.kind === 'organization') {
    throw new AppError('bad_request', 'cannot block an organization')
  }
  if (blocker.id === blocked.id) throw new AppError('bad_request', 'cannot block oneself')
  const pair = { from: blocker.id, to: blocked.id }
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'follows')
    if (await isMemberOf(tx, { from: blocked.id, to: blocker.id })) {
      throw new AppError('bad_request', 'cannot block a member of the organization')
    }
    if (!(await insertBlock(tx, pair, ctx.now()))) {
      throw new AppError('bad_request', 'the user is blocked already')
    }
    for (const one of [pair, { from: pair.to, to: pair.from }]) {
      if (await deleteFollow(tx, one)) await countFollow(tx, one, -1)
    }
  })
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
