import { callerOf, isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import { accessOf, ownerAccess, type Access, type AccessFacts } from './access.ts'
import { findRepositories } from './queries.ts'
import {
  findMirrorStates,
  findTopics,
  findTransfers,
  type MirrorState,
  type PendingTransfer,
} from './relation-queries.ts'
import { findRelations, noRelations, type Relations } from './relations.ts'
import { findUnits } from './unit-queries.ts'
import type { Repository } from './repository.ts'
import { availableUnits, Units } from './units.ts'

/** A repository with all that its record shows, as one caller sees it. */
export interface RepositoryView {
  readonly repo: Repository
  readonly owner: Account
  readonly units: Units
  readonly topics: readonly string[]
  readonly access: Access
  /** The units of the time at which `access` was worked out, where they may have changed since. */
  readonly accessUnits?: Units
  /** To whom it is offered. */
  readonly transfer?: PendingTransfer
  readonly mirror?: MirrorState
  /** The base of a fork, as far as the caller may see it. */
  readonly parent?: RepositoryView
}

/** Within a transaction, what it sees. */
export type Viewing = Pick<Context, 'config' | 'now'> &
  Partial<Pick<Context, 'surroundings'>> & { readonly db: Executor }

/** Views of a page of repositories: a fixed number of statements, whatever its size. */
export async function viewRepositories(
  ctx: Viewing,
  caller: Caller,
  repos: readonly Repository[],
): Promise<readonly RepositoryView[]> {
  const bases = await findRepositories(ctx.db, forkBases(repos))
  const all = [
    ...repos,
    ...[...bases.values()].filter(({ id }) => repos.every((repo) => repo.id !== id)),
  ]
  const views = new Map((await viewFlat(ctx, caller, all)).map((view) => [view.repo.id, view]))
  return repos.flatMap((repo) => {
    const view = views.get(repo.id)
    return view ? [withParent(caller, view, views)] : []
  })
}

export async function viewRepository(
  ctx: Viewing,
  caller: Caller,
  repo: Repository,
): Promise<RepositoryView> {
  const [view] = await viewRepositories(ctx, caller, [repo])
  if (!view) throw new Error(`the owner of repository ${repo.id} is missing`)
  return view
}

/** For answers that are rendered with the owner's level, whoever asked. */
export function asOwner(view: RepositoryView): RepositoryView {
  return { ...view, access: ownerAccess }
}

function forkBases(repos: readonly Repository[]): readonly number[] {
  return [...new Set(repos.flatMap(({ forkOf }) => (forkOf === undefined ? [] : [forkOf])))]
}

/** A token for what is public reaches public repositories of public owners. */
export function isWithinToken(
  { publicOnly }: Caller,
  { repo, owner }: Pick<RepositoryView, 'repo' | 'owner'>,
): boolean {
  return !publicOnly || (!repo.isPrivate && owner.visibility === 'public')
}

function withParent(
  caller: Caller,
  view: RepositoryView,
  views: ReadonlyMap<number, RepositoryView>,
): RepositoryView {
  const parent = view.repo.forkOf === undefined ? undefined : views.get(view.repo.forkOf)
  return parent && isWithinToken(caller, parent) ? { ...view, parent } : view
}

async function viewFlat(
  ctx: Viewing,
  caller: Caller,
  repos: readonly Repository[],
): Promise<readonly RepositoryView[]> {
  if (repos.length === 0) return []
  const around = await surroundingsOf(ctx, caller, repos)
  return repos.flatMap((repo) => {
    const owner = around.owners.get(repo.ownerId)
    if (!owner) return []
    const transfer = around.transfers.get(repo.id)
    const mirror = around.mirrors.get(repo.id)
    return {
      ...(transfer ? { transfer } : {}),
      ...(mirror ? { mirror } : {}),
      repo,
      owner,
      units: availableUnits(ctx.config, around.units.get(repo.id) ?? new Units(new Map())),
      topics: around.topics.get(repo.id) ?? [],
      access: accessOf(factsOf(ctx, caller, repo, owner, around.relations)),
    }
  })
}

/** All that views show beside the rows of the repositories, which change far more often. */
export interface Surroundings {
  readonly owners: ReadonlyMap<number, Account>
  readonly units: ReadonlyMap<number, Units>
  readonly topics: ReadonlyMap<number, readonly string[]>
  readonly transfers: ReadonlyMap<number, PendingTransfer>
  readonly mirrors: ReadonlyMap<number, MirrorState>
  readonly relations: Relations
}

/** Kept for single repositories, outside of transactions. */
async function surroundingsOf(
  ctx: Viewing,
  caller: Caller,
  repos: readonly Repository[],
): Promise<Surroundings> {
  const find = () => findSurroundings(ctx, caller, repos)
  const [repo, ...others] = repos
  if (!repo || others.length > 0 || !ctx.surroundings || ctx.db.isTransaction) return find()
  const key = [repo.id, repo.ownerId, repo.isMirror, caller.account?.id ?? 0, isSiteAdmin(caller)]
  return ctx.surroundings.get(key.join(' '), find)
}

async function findSurroundings(
  ctx: Viewing,
  caller: Caller,
  repos: readonly Repository[],
): Promise<Surroundings> {
  const ids = repos.map(({ id }) => id)
  const mirrorIds = repos.filter(({ isMirror }) => isMirror).map(({ id }) => id)
  return {
    owners: await findAllById(
      ctx.db,
      repos.map(({ ownerId }) => ownerId),
    ),
    units: await findUnits(ctx.db, ids),
    topics: await findTopics(ctx.db, ids),
    transfers: await findTransfers(ctx.db, ids),
    mirrors: await findMirrorStates(ctx.db, mirrorIds, ctx.now),
    relations: await relationsOf(ctx, caller, repos),
  }
}

async function relationsOf(
  ctx: Viewing,
  caller: Caller,
  repos: readonly Repository[],
): Promise<Relations> {
  if (!caller.account || isSiteAdmin(caller)) return noRelations
  const { id } = caller.account
  const others = repos.filter(({ ownerId }) => ownerId !== id)
  return (await findRelations(ctx.db, others, [id])).get(id) ?? noRelations
}

/**
 * What each of these people may do with the repository: a fixed number of statements, however many
 * they are.
 */
export async function accessOfPeople(
  ctx: Viewing,
  { repo, owner }: Pick<RepositoryView, 'repo' | 'owner'>,
  people: readonly Account[],
): Promise<ReadonlyMap<number, Access>> {
  const ids = people.map(({ id }) => id)
  const relations = await findRelations(ctx.db, [repo], ids)
  return new Map(
    people.map((person) => {
      const ties = relations.get(person.id) ?? noRelations
      return [person.id, accessOf(factsOf(ctx, callerOf(person), repo, owner, ties))]
    }),
  )
}

function factsOf(
  ctx: Viewing,
  caller: Caller,
  repo: Repository,
  owner: Account,
  { collaborations, teams, memberships }: Relations,
): AccessFacts {
  return {
    isPublic: !repo.isPrivate,
    ownerVisibility: owner.visibility,
    isOwner: caller.account?.id === owner.id,
    isSiteAdmin: isSiteAdmin(caller),
    isRestricted: caller.account?.isRestricted ?? false,
    isAnonymous: caller.account === undefined,
    isMember: memberships.has(owner.id),
    requiresSignIn: ctx.config.security.require_sign_in === 'true',
    collaboration: collaborations.get(repo.id) ?? 'none',
    teams: teams.get(repo.id) ?? [],
  }
}
