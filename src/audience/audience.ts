import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { assertNotBlocked } from '../followers/block.ts'
import type { Repository } from '../repositories/repository.ts'
import { addToCount, addToStarred, deleteMark, insertMark } from './queries.ts'

/** Starring twice is starring once; the counts move with the rows. */
export async function star(ctx: Context, repo: Repository, accountId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await assertNotBlocked(tx, accountId, [repo.ownerId])
    const row = { repository_id: repo.id, account_id: accountId, created_at: ctx.now() }
    if (!(await insertMark(tx, 'star', row))) return
    await addToCount(tx, 'stars_count', repo.id, 1)
    await addToStarred(tx, accountId, 1)
  })
}

export async function unstar(ctx: Context, repositoryId: number, accountId: number): Promise<void> {
  await ctx.db.transaction().execute((tx) => dropStar(tx, repositoryId, accountId))
}

export async function watch(ctx: Context, repo: Repository, accountId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await assertNotBlocked(tx, accountId, [repo.ownerId])
    const row = { repository_id: repo.id, account_id: accountId, created_at: ctx.now() }
    if (await insertMark(tx, 'watch', row)) await addToCount(tx, 'watchers_count', repo.id, 1)
  })
}

export async function unwatch(
  ctx: Context,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await ctx.db.transaction().execute((tx) => dropWatch(tx, repositoryId, accountId))
}

/** Of somebody who does not see the repository any more. */
export async function dropAudience(
  ctx: Context,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
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
