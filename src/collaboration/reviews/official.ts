import type { Context } from '../../platform/context.ts'
import { findApprovers } from '../../code/protection/approvers.ts'
import { readsUnit, writesUnit } from '../../repositories/repository/load.ts'
import { accessOfPeople, type RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'

/** Those whose word counts for the protection of a branch: they are listed, or write the code. */
export async function findOfficialReviewers(
  ctx: Context,
  view: RepositoryView,
  branch: string,
  people: readonly Account[],
): Promise<ReadonlySet<number>> {
  const ids = people.map(({ id }) => id)
  const listed = await findApprovers(ctx.db, view.repo, branch, ids)
  if (listed) return listed
  const accesses = await accessOfPeople(ctx, view, people)
  const writers = [...accesses].filter(([, access]) =>
    writesUnit({ access, units: view.units }, 'repo.code'),
  )
  return new Set(writers.map(([id]) => id))
}

export async function isOfficialReviewer(
  ctx: Context,
  view: RepositoryView,
  branch: string,
  person: Account,
): Promise<boolean> {
  return (await findOfficialReviewers(ctx, view, branch, [person])).has(person.id)
}

/** A list names people, whatever they may do by now. */
export async function readersOfPulls(
  ctx: Context,
  view: RepositoryView,
  people: readonly Account[],
): Promise<readonly Account[]> {
  const accesses = await accessOfPeople(ctx, view, people)
  return people.filter(({ id }) => {
    const access = accesses.get(id)
    return access && readsUnit({ access, units: view.units }, 'repo.pulls')
  })
}
