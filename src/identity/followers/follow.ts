import type { Caller, Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { Account } from '../users/account.ts'
import { isShownTo } from '../users/visibility.ts'
import { holdUnblocked } from './block.ts'
import { countFollow, deleteFollow, insertFollow, isFollowing, listRelated } from './queries.ts'

export type Relation = 'followers' | 'following'

/** Those who follow somebody, or whom they follow, as far as the caller may see them. */
export async function listFollowed(
  ctx: Context,
  caller: Caller,
  { id }: Account,
  relation: Relation,
  page: Page,
): Promise<PageOf<Account>> {
  return listRelated(ctx.db, relation, id, isShownTo(ctx.config, caller), page)
}

export async function follows(
  { db }: Context,
  follower: Account,
  followed: Account,
): Promise<boolean> {
  return isFollowing(db, { from: follower.id, to: followed.id })
}

/** Following twice, or oneself, changes nothing. */
export async function followAccount(
  ctx: Context,
  follower: Account,
  followed: Account,
): Promise<void> {
  if (follower.id === followed.id) return
  const pair = { from: follower.id, to: followed.id }
  await ctx.db.transaction().execute(async (tx) => {
    await holdUnblocked(ctx, tx, pair)
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
