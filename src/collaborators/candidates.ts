import type { Context } from '../context.ts'
import type { RepositoryView } from '../repositories/view.ts'
import type { Account } from '../users/account.ts'
import { listPeopleWith } from './queries.ts'

const unitLevels = ['read', 'write', 'admin', 'owner'] as const

/** Who is offered as an assignee: those who have to do with the issues of a repository. */
export async function listAssignees(
  ctx: Context,
  view: RepositoryView,
): Promise<readonly Account[]> {
  const people = await listPeopleWith(ctx.db, view.repo, {
    levels: ['write', 'admin', 'owner'],
    units: ['repo.issues', 'repo.pulls'],
    unitLevels,
  })
  return withOwner(view, people)
}

/** Who is offered as a reviewer: those who read the code by name. */
export async function listReviewers(
  ctx: Context,
  view: RepositoryView,
): Promise<readonly Account[]> {
  const people = await listPeopleWith(ctx.db, view.repo, {
    levels: ['read', 'write', 'admin', 'owner'],
    units: ['repo.code', 'repo.pulls'],
    unitLevels,
  })
  return withOwner(view, people)
}

/** A person who owns the repository comes last. */
function withOwner({ owner }: RepositoryView, people: readonly Account[]): readonly Account[] {
  if (owner.kind !== 'person') return people
  return [...people.filter(({ id }) => id !== owner.id), owner]
}
