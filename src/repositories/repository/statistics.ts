import type { Context } from '../../platform/context.ts'
import { countAllRepositories, countRepositoriesByOwner } from './queries.ts'

export async function repositoryCount({ db }: Context): Promise<number> {
  return countAllRepositories(db)
}

/** By the id of each owner who has any, whoever may see them. */
export async function repositoryCounts(
  { db }: Context,
  ownerIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  return countRepositoriesByOwner(db, ownerIds)
}
