import { setImmediate as nextTurn } from 'node:timers/promises'
import { callerOf } from '../collaborators/collaborate.ts'
import { findAuthors } from '../commits/authors.ts'
import { folderOf, readingCode } from '../commits/code.ts'
import type { Context } from '../context.ts'
import { listComparedFiles } from '../git/range-files.ts'
import type { Team } from '../organizations/team.ts'
import type { Pull } from '../pulls/pull.ts'
import { readsUnit } from '../repositories/load.ts'
import { viewRepository, type RepositoryView } from '../repositories/view.ts'
import type { Account } from '../users/account.ts'
import { findPeopleByName } from '../users/load.ts'
import { compilePathPattern, readOwnerRules, type OwnerRule } from './owner-rules.ts'
import { admittedTeams, MAX_REVIEWERS, officially, type Requests } from './request.ts'
import { findTeamsNamed } from './summary-queries.ts'

/** Where it may be; the first that is there counts. */
const places = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS']
const MAX_BYTES = 256 * 1024
const MAX_MS = 1_000
const TURN_MS = 20

type Compared = Pick<Pull, 'baseBranch' | 'baseCommitId' | 'mergeBase' | 'headCommitId'>

/**
 * Those whom the CODEOWNERS file of the base branch names for what a pull request changes, as far as they can read it.
 * The file that a fork has from its origin is not for its own pull requests.
 */
export async function planOwnerRequests(
  ctx: Context,
  view: RepositoryView,
  authorId: number | undefined,
  pull: Compared,
): Promise<Requests> {
  const { repo } = view
  const text = repo.forkOf === undefined ? await readOwnersFile(ctx, view, pull) : ''
  const rules = readOwnerRules(text)
  if (rules.length === 0 || pull.mergeBase === '') return { people: [], teams: [] }
  const compared = { base: pull.mergeBase, head: pull.headCommitId }
  const files = await listComparedFiles(ctx.git, folderOf(ctx, repo), compared)
  const paths = files.flatMap(({ path, previousPath }) => [path, previousPath ?? []].flat())
  const owners = await findConcerned(ctx, rules, [...new Set(paths)])
  const people = await findOwningPeople(ctx, view, owners)
  return {
    people: await officially(
      ctx,
      repo,
      pull.baseBranch,
      people.filter(({ id }) => id !== authorId),
    ),
    teams: await findOwningTeams(ctx, view, owners),
  }
}

async function readOwnersFile(
  ctx: Context,
  { repo }: RepositoryView,
  { baseCommitId }: Compared,
): Promise<string> {
  return readingCode(ctx, repo, async (objects) => {
    for (const place of places) {
      const info = await objects.info(`${baseCommitId}:${place}`)
      if (info?.type !== 'blob') continue
      const file = await objects.read(info.id, MAX_BYTES)
      return file?.content.toString('utf8') ?? ''
    }
    return ''
  })
}

/** Takes a limited time altogether, and little of it at once: many patterns may meet many paths. */
async function findConcerned(
  ctx: Context,
  rules: readonly OwnerRule[],
  paths: readonly string[],
): Promise<readonly string[]> {
  const owners = new Set<string>()
  const until = performance.now() + MAX_MS
  let turn = performance.now()
  for (const { pattern, isNegated, owners: named } of rules) {
    if (owners.size >= MAX_REVIEWERS) break
    const matches = compilePathPattern(pattern)
    for (const path of matches ? paths : []) {
      if (performance.now() - turn > TURN_MS) {
        await nextTurn()
        turn = performance.now()
      }
      if (turn > until) {
        ctx.log.warn('code owners: the patterns take too long for so many files')
        return [...owners]
      }
      if (matches?.(path) === isNegated) continue
      for (const owner of named) owners.add(owner.toLowerCase())
      break
    }
  }
  return [...owners].slice(0, MAX_REVIEWERS)
}

/** By name or by e-mail address. */
async function findOwningPeople(
  ctx: Context,
  { repo }: RepositoryView,
  owners: readonly string[],
): Promise<readonly Account[]> {
  const people = owners.filter((owner) => !owner.includes('/'))
  const byName = await findPeopleByName(ctx.db, people)
  const emails = people.filter((owner) => owner.includes('@')).map((email) => ({ email }))
  const authors = await findAuthors(
    ctx,
    emails.map((address) => ({ author: address, committer: address })),
  )
  const found = new Map<number, Account>()
  for (const owner of people) {
    const person = owner.includes('@') ? authors(owner) : byName.get(owner)
    if (person && (await canReview(ctx, repo, person))) found.set(person.id, person)
  }
  return [...found.values()]
}

async function canReview(
  ctx: Context,
  repo: RepositoryView['repo'],
  person: Account,
): Promise<boolean> {
  if (person.kind !== 'person' || !person.isActive || person.prohibitLogin) return false
  const view = await viewRepository(ctx, callerOf(person), repo)
  return readsUnit(view, 'repo.pulls') && readsUnit(view, 'repo.code')
}

/** Teams of the organization that owns the repository. */
async function findOwningTeams(
  ctx: Context,
  { repo, owner }: RepositoryView,
  owners: readonly string[],
): Promise<readonly Team[]> {
  if (owner.kind !== 'organization') return []
  const names = owners.flatMap((text) => {
    const [org, team, ...rest] = text.split('/')
    return org === owner.name.toLowerCase() && team && rest.length === 0 ? [team] : []
  })
  const teams = await findTeamsNamed(ctx.db, owner.id, names)
  return admittedTeams(ctx, repo, [...teams.values()])
}
