import type { Context } from '../context.ts'
import { lock } from '../db/lock.ts'
import { forbidden } from '../errors.ts'
import type { Account } from '../users/account.ts'
import { blockExists } from './block.ts'
import { countFollow, deleteFollow, insertFollow } from './queries.ts'

/** Following twice, or oneself, changes nothing. */
export async function followAccount(
  ctx: Context,
  follower: Account,
  followed: Account,
): Promise<void> {
  if (follower.id === followed.id) return
  const pair = { from: follower.id, to: followed.id }
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'follows')
    if (await blockExists(tx, pair)) throw forbidden('user is blocked')
    if (await insertFollow(tx, pair, ctx.now())) await countFollow(tx, pair, 1)
  })
}

/** Ending what is not there changes nothing. */
export async function unfollowAccount(
  ctx: Context,
  follower: Account,
  followed: Account,
): Promise<void> {
  const pair = { from: follower.id, to: followed.id }
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'follows')
    if (await deleteFollow(tx, pair)) await countFollow(tx, pair, -1)
  })
}
