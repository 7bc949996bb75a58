import type { Context } from '../../platform/context.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { Account } from '../../identity/users/account.ts'
import { findForkBy } from './queries.ts'

/** The fork that somebody has of a repository. */
export async function findForkOf(
  { db }: Context,
  { id }: Repository,
  owner: Account,
): Promise<Repository | undefined> {
  return findForkBy(db, id, owner.id)
}
