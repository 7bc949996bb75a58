import { findAuthors, findOpenAuthors } from '../../code/commits/authors.ts'
import type { Context } from '../../platform/context.ts'
import type { Team } from '../../identity/organizations/team.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { accessOfPeople, type RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findPeopleByName } from '../../identity/users/load.ts'
import { findConcernedRules, type Compared } from './concerned-rules.ts'
import type { OwnerRule } from './owner-rules.ts'
import { admittedTeams, MAX_REVIEWERS, officially, type Requests } from './request.ts'
import { findTeamsNamed } from './summary-queries.ts'

/**
 * Those whom the CODEOWNERS file names for what a pull request changes, as far as they can read it.
 */
export async function planOwnerRequests(
  ctx: Context,
  view: RepositoryView,
  authorId: number | undefined,
  pull: Compared,
): Promise<Requests> {
  const { rules } = await findConcernedRules(ctx, view.repo, pull)
  const owners = namesIn(rules).slice(0, MAX_REVIEWERS)
  // Who is asked is shown to all who see the pull request.
  const people = await findOwningPeople(ctx, view, owners, findOpenAuthors)
  const others = [...new Set(people.values())].filter(({ id }) => id !== authorId)
  return {
    people: await officially(ctx, view, pull.baseBranch, others),
    teams: [...(await findOwningTeams(ctx, view, owners)).values()],
  }
}

/** Whose word each rule waits for; those of whom nobody else can give it are left out. */
export interface OwnerGroup {
  readonly people: ReadonlySet<number>
  readonly teams: ReadonlySet<number>
}

/**
 * For every rule that what a pull request changes concerns. `undefined` when there are too many to
 * tell.
 */
export async function findOwnerGroups(
  ctx: Context,
  view: RepositoryView,
  authorId: number | undefined,
  pull: Compared,
): Promise<readonly OwnerGroup[] | undefined> {
  const { rules, isComplete } = await findConcernedRules(ctx, view.repo, pull)
  const owners = namesIn(rules)
  if (!isComplete || owners.length > MAX_REVIEWERS) return undefined
  const people = await findOwningPeople(ctx, view, owners, findOwners)
  const teams = await findOwningTeams(ctx, view, owners)
  const groups = rules.map(({ owners: named }) => ({
    people: idsOf(named, people),
    teams: idsOf(named, teams),
  }))
  return groups.filter((group) => {
    const isOwn = authorId !== undefined && group.people.has(authorId)
    return !isOwn && group.people.size + group.teams.size > 0
  })
}

function namesIn(rules: readonly OwnerRule[]): readonly string[] {
  return [...new Set(rules.flatMap(({ owners }) => owners.map((owner) => owner.toLowerCase())))]
}

function idsOf(
  named: readonly string[],
  found: ReadonlyMap<string, { readonly id: number }>,
): ReadonlySet<number> {
  return new Set(named.flatMap((owner) => found.get(owner.toLowerCase())?.id ?? []))
}

/** An approval counts also of who hides their address: it says only that they approved. */
const findOwners: typeof findOpenAuthors = (ctx, _view, commits) => findAuthors(ctx, commits)

/** By name or by e-mail address; under the texts that named them. */
async function findOwningPeople(
  ctx: Context,
  view: RepositoryView,
  owners: readonly string[],
  find: typeof findOpenAuthors,
): Promise<ReadonlyMap<string, Account>> {
  const people = owners.filter((owner) => !owner.includes('/'))
  const byName = await findPeopleByName(ctx.db, people)
  const emails = people.filter((owner) => owner.includes('@')).map((email) => ({ email }))
  const authors = await find(
    ctx,
    view,
    emails.map((address) => ({ author: address, committer: address })),
  )
  const named = people.flatMap((owner): [string, Account][] => {
    const person = owner.includes('@') ? authors(owner) : byName.get(owner)
    return person ? [[owner, person]] : []
  })
  const reviewers = await findReviewers(
    ctx,
    view,
    named.map(([, person]) => person),
  )
  return new Map(named.filter(([, { id }]) => reviewers.has(id)))
}

/** Those of `people` who can sign in and read what there is to review. */
async function findReviewers(
  ctx: Context,
  view: RepositoryView,
  people: readonly Account[],
): Promise<ReadonlySet<number>> {
  const present = people.filter(
    ({ kind, isActive, prohibitLogin }) => kind === 'person' && isActive && !prohibitLogin,
  )
  const { units } = view
  const readers = [...(await accessOfPeople(ctx, view, present))].filter(
    ([, access]) =>
      readsUnit({ access, units }, 'repo.pulls') && readsUnit({ access, units }, 'repo.code'),
  )
  return new Set(readers.map(([id]) => id))
}

/** Teams of the organization that owns the repository. */
async function findOwningTeams(
  ctx: Context,
  { repo, owner }: RepositoryView,
  owners: readonly string[],
): Promise<ReadonlyMap<string, Team>> {
  if (owner.kind !== 'organization') return new Map()
  const prefix = `${owner.name.toLowerCase()}/`
  const names = owners.filter((text) => text.startsWith(prefix))
  const teams = await findTeamsNamed(
    ctx.db,
    owner.id,
    names.map((text) => text.slice(prefix.length)),
  )
  const admitted = await admittedTeams(ctx, repo, [...teams.values()])
  return new Map(admitted.map((team) => [`${prefix}${team.name.toLowerCase()}`, team]))
}
