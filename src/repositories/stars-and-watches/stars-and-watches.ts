import { spend } from '../../identity/auth/budgets.ts'
import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { shareLock } from '../../platform/db/lock.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { forbidden } from '../../platform/errors.ts'
import { assertNotBlocked, shareBlocks } from '../../identity/followers/block.ts'
import type { Repository } from '../repository/repository.ts'
import { viewRepositoryAgain } from '../repository/view-again.ts'
import type { Account } from '../../identity/users/account.ts'
import { isShownTo } from '../../identity/users/visibility.ts'
import {
  addToCount,
  addToStarred,
  deleteMark,
  findMarkTime,
  holdCounts,
  insertMark,
  listMarkers,
} from './queries.ts'

/** What somebody has done with a repository. */
export interface Marks {
  readonly isStarred: boolean
  readonly isWatched: boolean
}

export async function marksOf(
  { db }: Context,
  { id }: Repository,
  account: Account,
): Promise<Marks> {
  const isMarked = async (mark: 'star' | 'watch') =>
    (await findMarkTime(db, mark, id, account.id)) !== undefined
  return { isStarred: await isMarked('star'), isWatched: await isMarked('watch') }
}

/** Who has starred or watches a repository, as far as the caller may see them. */
export async function peopleWho(
  { config, db }: Context,
  caller: Caller,
  mark: 'star' | 'watch',
  { id }: Repository,
  page: Page,
): Promise<PageOf<Account>> {
  return listMarkers(db, mark, id, isShownTo(config, caller), page)
}

export function assertStars({ config }: Pick<Context, 'config'>): void {
  if (!config.repositories.stars) throw forbidden('stars are disabled')
}

/** Starring twice is starring once; the counts move with the rows. */
export async function star(ctx: Context, caller: SignedInCaller, repo: Repository): Promise<void> {
  assertStars(ctx)
  await spend(ctx, caller, 'stars')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await leaveMark(ctx, tx, caller, repo, 'star'))) return
    await addToCount(tx, 'stars_count', repo.id, 1)
    await addToStarred(tx, caller.account.id, 1)
  })
}

export async function unstar(
  ctx: Context,
  { account }: SignedInCaller,
  { id }: Repository,
): Promise<void> {
  assertStars(ctx)
  await ctx.db.transaction().execute(async (tx) => {
    await holdCounts(ctx.db.dialect, tx, id)
    await dropStar(tx, id, account.id)
  })
}

export async function watch(ctx: Context, caller: SignedInCaller, repo: Repository): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (await leaveMark(ctx, tx, caller, repo, 'watch'))
      await addToCount(tx, 'watchers_count', repo.id, 1)
  })
}

/**
 * False when it was there already. Whoever does not see the repository by now leaves no mark: those
 * were taken away with it.
 */
async function leaveMark(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  { id, ownerId }: Repository,
  kind: 'star' | 'watch',
): Promise<boolean> {
  const accountId = caller.account.id
  // Who leaves a team at this moment loses the watches that are there by then.
  await shareLock(ctx.db.dialect, tx, 'organization', ownerId)
  await shareBlocks(ctx, tx)
  await assertNotBlocked(tx, accountId, [ownerId])
  await holdCounts(ctx.db.dialect, tx, id)
  await viewRepositoryAgain(ctx, tx, caller, id)
  return insertMark(tx, kind, {
    repository_id: id,
    account_id: accountId,
    created_at: ctx.now(),
  })
}

export async function unwatch(
  ctx: Context,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await holdCounts(ctx.db.dialect, tx, repositoryId)
    await dropWatch(tx, repositoryId, accountId)
  })
}

/** Of somebody who does not see the repository any more. */
export async function dropAudience(
  ctx: Context,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await holdCounts(ctx.db.dialect, tx, repositoryId)
    await dropStar(tx, repositoryId, accountId)
    await dropWatch(tx, repositoryId, accountId)
  })
}

async function dropStar(tx: Executor, repositoryId: number, accountId: number): Promise<void> {
  if (!(await deleteMark(tx, 'star', repositoryId, accountId))) return
  await addToCount(tx, 'stars_count', repositoryId, -1)
  await addToStarred(tx, accountId, -1)
}

async function dropWatch(tx: Executor, repositoryId: number, accountId: number): Promise<void> {
  if (!(await deleteMark(tx, 'watch', repositoryId, accountId))) return
  await addToCount(tx, 'watchers_count', repositoryId, -1)
}
