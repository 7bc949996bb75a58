import type { Executor } from '../../platform/db/database.ts'
import type { NewRow } from '../../platform/db/schema.ts'

export interface LfsLock {
  readonly id: number
  readonly path: string
  readonly accountId: number
  readonly owner: string
  readonly lockedAt: number
}

export interface LockFilter {
  readonly path?: string | undefined
  readonly id?: number | undefined
  /** Only those after this one. */
  readonly after: number
  readonly limit: number
}

/** Undefined when the path is locked already. */
export async function insertLock(
  db: Executor,
  row: NewRow<'lfs_lock'>,
): Promise<number | undefined> {
  const made = await db
    .insertInto('lfs_lock')
    .values(row)
    .onConflict((conflict) => conflict.columns(['repository_id', 'path']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function listLocks(
  db: Executor,
  repositoryId: number,
  { path, id, after, limit }: LockFilter,
): Promise<readonly LfsLock[]> {
  let query = db
    .selectFrom('lfs_lock')
    .innerJoin('account', 'account.id', 'lfs_lock.account_id')
    .select([
      'lfs_lock.id',
      'lfs_lock.path',
      'lfs_lock.account_id as accountId',
      'account.name as owner',
      'lfs_lock.locked_at as lockedAt',
    ])
    .where('lfs_lock.repository_id', '=', repositoryId)
    .where('lfs_lock.id', '>', after)
    .orderBy('lfs_lock.id')
    .limit(limit)
  if (path !== undefined) query = query.where('lfs_lock.path', '=', path)
  if (id !== undefined) query = query.where('lfs_lock.id', '=', id)
  return query.execute()
}

/** False when it is gone already. */
export async function deleteLock(db: Executor, repositoryId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('lfs_lock')
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
