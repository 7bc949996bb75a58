import { sql, type Expression, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import { toAccount, type Account } from '../users/account.ts'
import type { AccountCondition } from '../users/queries.ts'

/** Who follows or blocks whom: the first does it to the second. */
export interface Pair {
  readonly from: number
  readonly to: number
}

export async function isFollowing(db: Executor, { from, to }: Pair): Promise<boolean> {
  const row = await db
    .selectFrom('follow')
    .select('follower_id')
    .where('follower_id', '=', from)
    .where('followed_id', '=', to)
    .executeTakeFirst()
  return row !== undefined
}

export async function isBlocking(db: Executor, { from, to }: Pair): Promise<boolean> {
  const row = await db
    .selectFrom('block')
    .select('blocker_id')
    .where('blocker_id', '=', from)
    .where('blocked_id', '=', to)
    .executeTakeFirst()
  return row !== undefined
}

/** Nobody is a member of a person. */
export async function isMemberOf(db: Executor, { from, to }: Pair): Promise<boolean> {
  const row = await db
    .selectFrom('organization_member')
    .select('account_id')
    .where('account_id', '=', from)
    .where('org_id', '=', to)
    .executeTakeFirst()
  return row !== undefined
}

export async function isBlockedByAny(
  db: Executor,
  accountId: number,
  blockerIds: readonly number[],
): Promise<boolean> {
  if (blockerIds.length === 0) return false
  const row = await db
    .selectFrom('block')
    .select('blocker_id')
    .where('blocked_id', '=', accountId)
    .where('blocker_id', 'in', blockerIds)
    .executeTakeFirst()
  return row !== undefined
}

/** False when it is so already. */
export async function insertFollow(db: Executor, pair: Pair, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('follow')
    .columns(['follower_id', 'followed_id', 'created_at'])
    .expression(presentPair(pair, now))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False when there was nothing to end. */
export async function deleteFollow(db: Executor, { from, to }: Pair): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('follow')
    .where('follower_id', '=', from)
    .where('followed_id', '=', to)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Brings the counts of both up to date with a follow that began or ended. */
export async function countFollow(db: Executor, { from, to }: Pair, by: 1 | -1): Promise<void> {
  await db
    .updateTable('account')
    .set({ following_count: sql`following_count + ${by}` })
    .where('id', '=', from)
    .execute()
  await db
    .updateTable('account')
    .set({ followers_count: sql`followers_count + ${by}` })
    .where('id', '=', to)
    .execute()
}

/** False when it is so already. */
export async function insertBlock(db: Executor, pair: Pair, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('block')
    .columns(['blocker_id', 'blocked_id', 'created_at'])
    .expression(presentPair(pair, now))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * The row for a pair of which neither has been deleted since it was looked up; no row otherwise.
 */
function presentPair({ from, to }: Pair, now: number): Expression<unknown> {
  return sql`
    SELECT one.id, other.id, CAST(${now} AS bigint)
    FROM account AS one, account AS other
    WHERE one.id = ${from} AND other.id = ${to}`
}

/** False when there was nothing to end. */
export async function deleteBlock(db: Executor, { from, to }: Pair): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('block')
    .where('blocker_id', '=', from)
    .where('blocked_id', '=', to)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const followersOf = (id: number) =>
  sql`SELECT follow.follower_id FROM follow WHERE follow.followed_id = ${id}`
const followedBy = (id: number) =>
  sql`SELECT follow.followed_id FROM follow WHERE follow.follower_id = ${id}`
const blockedBy = (id: number) =>
  sql`SELECT block.blocked_id FROM block WHERE block.blocker_id = ${id}`

const relations = { followers: followersOf, following: followedBy, blocks: blockedBy }

/**
 * One page of those who stand in `relation` to an account, among those that `visible` leaves over.
 */
export async function listRelated(
  db: Executor,
  relation: keyof typeof relations,
  accountId: number,
  visible: AccountCondition,
  page: Page,
): Promise<PageOf<Account>> {
  const related: Expression<SqlBool> = sql`account.id IN (${relations[relation](accountId)})`
  const query = db
    .selectFrom('account')
    .selectAll('account')
    .where(related)
    .where(visible)
    .orderBy('account.id')
  return mapPage(await fetchPage(query, page), toAccount)
}
