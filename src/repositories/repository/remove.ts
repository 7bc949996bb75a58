import { logRightsChange } from '../../platform/audit.ts'
import { dropAttachments } from '../attachments/drop.ts'
import { dropAvatar } from '../avatars/change.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { removeFolders } from '../../platform/git/remove.ts'
import { reaches } from '../../platform/access-level.ts'
import type { Account } from '../../identity/users/account.ts'
import { announceDeletion } from './webhook-events.ts'
import { uncountStars, uncountTopics } from './audience-queries.ts'
import { holdUnmoved } from './hold.ts'
import { addToForksCount, deleteRepository, holdRow, orphanForks } from './queries.ts'
import type { Repository } from './repository.ts'
import { holdTracker } from './tracker.ts'
import type { RepositoryView } from './view.ts'

export function assertOwns({ access }: RepositoryView): void {
  if (!reaches(access.level, 'owner')) throw forbidden('user should be the owner of the repo')
}

/** The record and all that hangs on it go at once; the directory follows by a job. */
export async function removeRepository(
  ctx: Context,
  actor: Account,
  repo: Repository,
): Promise<void> {
  await ctx.db.transaction().execute((tx) => dropRepository(ctx, tx, repo, actor))
  const details = { repository: repo.id, repositoryName: repo.name, owner: repo.ownerId }
  logRightsChange(ctx.log, 'repository deleted', details)
  ctx.jobs.wake()
}

/** For whoever deletes more than one thing in a transaction. */
export async function dropRepository(
  ctx: Context,
  tx: Executor,
  repo: Repository,
  actor?: Account,
): Promise<void> {
  await holdForRemoval(ctx, tx, repo.id)
  await holdUnmoved(ctx, tx, repo)
  await announceDeletion(ctx, tx, actor, repo.id)
  for (const part of ctx.above.partsOfRepositories) await part.beforeRemoval?.(ctx, tx, repo)
  await dropAttachments(ctx, tx, { repositoryIds: [repo.id] })
  await dropAvatar(ctx, tx, repo.avatar)
  await holdRows(ctx, tx, repo)
  await orphanForks(tx, repo.id)
  await uncountStars(tx, repo.id)
  await uncountTopics(tx, repo.id)
  for (const part of ctx.above.partsOfRepositories) await part.drop?.(tx, repo.id)
  await deleteRepository(tx, repo.id)
  await ctx.jobs.enqueue(tx, 'remove_repository_folder', { folder: repo.folder })
}

/**
 * What is to be held before any row: until the transaction ends nobody changes its topics, issues
 * or units.
 */
export async function holdForRemoval(ctx: Context, tx: Executor, id: number): Promise<void> {
  await lock(ctx.db.dialect, tx, 'topics')
  await holdTracker(ctx, tx, id)
  await lock(ctx.db.dialect, tx, 'repository', id)
}

/**
 * Nobody counts it or hangs anything on it any more. A base comes before its forks, as it does for
 * all others.
 */
async function holdRows(ctx: Context, tx: Executor, { id, forkOf }: Repository): Promise<void> {
  if (forkOf !== undefined) await addToForksCount(tx, forkOf, -1)
  if (!(await holdRow(ctx.db.dialect, tx, id))) throw notFound()
}

/** The job: a folder that is gone already is fine. */
export async function removeFolder(ctx: Context, folder: string): Promise<void> {
  await removeFolders(ctx.config, folder)
}
