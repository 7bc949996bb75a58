import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, forbidden, invalid, notFound } from '../../platform/errors.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { deleteLock, insertLock, listLocks, type LfsLock, type LockFilter } from './lock-queries.ts'

const MAX_PATH = 4096

export interface LockPage {
  readonly locks: readonly LfsLock[]
  /** Where the next page begins, if there is one. */
  readonly next: string | undefined
}

export type LockTaken = { readonly lock: LfsLock; readonly isNew: boolean }

/** The lock that a path has from now on, or had already. */
export async function takeLock(
  ctx: Context,
  caller: SignedInCaller,
  { id }: Repository,
  wanted: string,
): Promise<LockTaken> {
  const path = cleanPath(wanted)
  const made = await insertLock(ctx.db, {
    repository_id: id,
    account_id: caller.account.id,
    path,
    locked_at: ctx.now(),
  })
  const [lock] = await listLocks(ctx.db, id, { path, after: 0, limit: 1 })
  if (!lock) throw new AppError('conflict', 'The lock has been released in this moment: try again')
  return { lock, isNew: lock.id === made }
}

export async function pageOfLocks(
  ctx: Context,
  { id }: Repository,
  filter: LockFilter,
): Promise<LockPage> {
  const limit = Math.min(filter.limit, ctx.config.lfs.locks_per_page)
  const found = await listLocks(ctx.db, id, { ...filter, limit: limit + 1 })
  const locks = found.slice(0, limit)
  return { locks, next: found.length > limit ? String(locks.at(-1)?.id) : undefined }
}

/**
 * Somebody else's lock is released only by force. Locks of other repositories do not exist here.
 */
export async function releaseLock(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  { id, force }: { readonly id: number; readonly force: boolean },
): Promise<LfsLock> {
  const [lock] = await listLocks(ctx.db, repo.id, { id, after: 0, limit: 1 })
  if (!lock) throw notFound('Lock not found')
  if (lock.accountId !== caller.account.id && !force) {
    throw forbidden(`The lock belongs to ${lock.owner}: it can be released by force only`)
  }
  if (!(await deleteLock(ctx.db, repo.id, id))) throw notFound('Lock not found')
  return lock
}

/** A path within the repository, however it was written. */
export function cleanPath(wanted: string): string {
  const parts = wanted.split('/').filter((part) => part !== '' && part !== '.')
  const path = parts.join('/')
  if (path === '' || path.length > MAX_PATH || parts.includes('..')) {
    throw invalid('The path is not allowed')
  }
  return path
}
