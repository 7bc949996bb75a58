import { randomUUID } from 'node:crypto'
import { readmitCaller } from '../../identity/auth/readmit.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import { copyRepository } from '../../platform/git/copy.ts'
import { removeRepositoryFolder } from '../../platform/git/create.ts'
import { repositoryFolder } from '../../platform/git/layout.ts'
import { copyLfsObjects } from '../lfs/copy.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { insertNew } from '../../repositories/repository/insert.ts'
import { assertWithinLimit, LimitReached } from '../../repositories/repository/limit.ts'
import { assertMayCreateIn } from '../../repositories/repository/may-create.ts'
import {
  assertRepositoryNameAllowed,
  type Repository,
} from '../../repositories/repository/repository.ts'
import { newUnits } from '../../repositories/repository/units.ts'
import { viewCodeAgain } from '../../repositories/repository/view-again.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { announceFork } from '../../repositories/repository/webhook-events.ts'
import { findBaseRow, findForkBy } from './queries.ts'

/**
 * A copy of `base` for `owner`, as visible as its base is. The content is there when this returns.
 */
export async function forkRepository(
  ctx: Context,
  caller: SignedInCaller,
  base: RepositoryView,
  owner: Account,
  name: string,
): Promise<Repository> {
  assertRepositoryNameAllowed(name)
  await assertNotBlocked(ctx.db, caller.account.id, [base.owner.id])
  await assertNotForked(ctx.db, base, owner)
  const row = await findBaseRow(ctx.db, base.repo.id)
  if (!row) throw notFound()

  const folder = randomUUID()
  const path = repositoryFolder(ctx.config, folder)
  try {
    await assertWithinLimit(ctx, caller, owner, 'forks')
    await copyRepository(folderOf(ctx, row), path, {
      branch: row.default_branch,
      objectFormat: row.object_format,
    })
    return await insertNew(ctx, caller, owner, {
      row: {
        name,
        folder,
        description: row.description,
        default_branch: row.default_branch,
        object_format: row.object_format,
        is_empty: row.is_empty,
        branch_count: row.branch_count,
        git_size: row.git_size,
        language: row.language,
        licenses: row.licenses,
        is_fork: 1,
        fork_of: row.id,
      },
      units: newUnits(ctx.config, ctx.config.repositories.default_fork_units),
      labels: [],
      recheck: (tx) => assertNotForked(tx, base, owner),
      lateRow: (tx) => followBase(ctx, tx, caller, { baseId: row.id, owner }),
      also: async (tx, { id }) => {
        await copyLfsObjects(ctx, tx, row.id, id)
        await ctx.jobs.enqueue(tx, 'measure_repository', { id })
        await announceFork(ctx, tx, caller.account, { baseId: row.id, forkId: id })
      },
    })
  } catch (error) {
    if (!mayHaveCommitted(error)) await removeRepositoryFolder(path)
    throw asConflict(error, owner, name)
  }
}

/**
 * Whoever lost the base or their right while it was copied gets no fork; one that was concealed
 * meanwhile has a concealed one.
 */
async function followBase(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  { baseId, owner }: { readonly baseId: number; readonly owner: Account },
): Promise<{ readonly is_private: 0 | 1 }> {
  const now = await readmitCaller(tx, caller)
  const base = await viewCodeAgain(ctx, tx, now, baseId)
  await assertMayCreateIn({ db: tx }, now, owner)
  return { is_private: base.repo.isPrivate || base.owner.visibility === 'private' ? 1 : 0 }
}

async function assertNotForked(db: Executor, base: RepositoryView, owner: Account): Promise<void> {
  const fork = await findForkBy(db, base.repo.id, owner.id)
  if (fork) throw new ForkedAlready(base, owner, fork)
}

class ForkedAlready extends AppError {
  constructor(base: RepositoryView, owner: Account, fork: Repository) {
    super(
      'conflict',
      `repository is already forked by user [uname: ${owner.name}, repo path: ${base.owner.name}/${base.repo.name}, fork path: ${owner.name}/${fork.name}]`,
      { reason: 'forked_already' },
    )
  }
}

/** Tells a conflict in the words of this endpoint, for which a limit that is reached is one too. */
function asConflict(error: unknown, owner: Account, name: string): unknown {
  if (error instanceof ForkedAlready) return error
  if (error instanceof LimitReached) {
    return new AppError('conflict', error.message, { cause: error })
  }
  if (!(error instanceof AppError) || error.code !== 'conflict') return error
  const message = `repository already exists [uname: ${owner.name}, name: ${name.toLowerCase()}]`
  return new AppError('conflict', message, { cause: error, reason: 'name_taken' })
}
