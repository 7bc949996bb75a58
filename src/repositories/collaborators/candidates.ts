import type { Context } from '../../platform/context.ts'
import type { RepositoryView } from '../repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { listNamesWith, listPeopleWith } from './queries.ts'

/** Somebody, for whoever is to choose. */
export type NamedPerson = Pick<Account, 'id' | 'name'>

const unitLevels = ['read', 'write', 'admin', 'owner'] as const

/** Those who have to do with the issues of a repository. */
const assignees = {
  levels: ['write', 'admin', 'owner'],
  units: ['repo.issues', 'repo.pulls'],
  unitLevels,
} as const

/** Those who read the code by name. */
const reviewers = {
  levels: ['read', 'write', 'admin', 'owner'],
  units: ['repo.code', 'repo.pulls'],
  unitLevels,
} as const

/** Who is offered as an assignee. */
export async function listAssignees(
  ctx: Context,
  view: RepositoryView,
): Promise<readonly Account[]> {
  return withOwner(view, await listPeopleWith(ctx.db, view.repo, assignees))
}

/** Like `listAssignees`, where their names will do. */
export async function assigneesToChoose(
  ctx: Context,
  view: RepositoryView,
): Promise<readonly NamedPerson[]> {
  return withOwner(view, await listNamesWith(ctx.db, view.repo, assignees))
}

/** Who is offered as a reviewer. */
export async function listReviewers(
  ctx: Context,
  view: RepositoryView,
): Promise<readonly Account[]> {
  return withOwner(view, await listPeopleWith(ctx.db, view.repo, reviewers))
}

/** Like `listReviewers`, where their names will do. */
export async function reviewersToChoose(
  ctx: Context,
  view: RepositoryView,
): Promise<readonly NamedPerson[]> {
  return withOwner(view, await listNamesWith(ctx.db, view.repo, reviewers))
}

/** A person who owns the repository comes last. */
function withOwner<Person extends NamedPerson>(
  { owner }: { readonly owner: Account & Person },
  people: readonly Person[],
): readonly Person[] {
  if (owner.kind !== 'person') return people
  return [...people.filter(({ id }) => id !== owner.id), owner]
}
