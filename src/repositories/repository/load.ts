import { setTimeout as delay } from 'node:timers/promises'
import type { Caller, Context } from '../../platform/context.ts'
import type { Executor, Remembered } from '../../platform/db/database.ts'
import { AppError, forbidden, Moved, notFound } from '../../platform/errors.ts'
import type { Account } from '../../identity/users/account.ts'
import { findByName, findRenamed } from '../../identity/users/load.ts'
import { reaches } from '../../platform/access-level.ts'
import { hasAnyAccess, unitLevel } from './access.ts'
import {
  findRedirected,
  findRepositories,
  findRepositoryById,
  findRepositoryByPath,
} from './queries.ts'
import type { Repository, RepositoryPath } from './repository.ts'
import type { UnitKey } from '../../platform/units.ts'
import { isWithinToken, viewRepository, type RepositoryView } from './view.ts'
import { lacksSecondFactor } from '../../identity/users/second-factor.ts'

/**
 * The repository of the path as the caller sees it: what they may not see does not exist; old names
 * lead on.
 */
export async function loadVisible(
  ctx: Context,
  caller: Caller,
  path: RepositoryPath,
): Promise<RepositoryView> {
  const find = () => hidingTime(() => findVisible(ctx, caller, path))
  return ctx.repositoryCache.get(keyOf(caller, path), find)
}

const HIDDEN_MS = 5

/**
 * What is not there takes less than what the caller may not see. Both are told to be absent, and
 * both after this time, so that it does not tell them apart. It begins before the look-up: a timer
 * that begins after it would end later, too.
 */
async function hidingTime<T>(find: () => Promise<T>): Promise<T> {
  const passed = delay(HIDDEN_MS, undefined, { ref: false })
  try {
    return await find()
  } catch (error) {
    await passed
    throw error
  }
}

function keyOf({ account, publicOnly }: Caller, { owner, repo }: RepositoryPath): string {
  return `${account?.id ?? 0} ${publicOnly} ${owner.toLowerCase()}/${repo.toLowerCase()}`
}

async function findVisible(
  ctx: Context,
  caller: Caller,
  path: RepositoryPath,
): Promise<RepositoryView> {
  const repo = await findRepositoryByPath(ctx.db, path)
  if (!repo) throw await absent(ctx, caller, path)
  return assertVisible(ctx, caller, await viewRepository(ctx, caller, repo))
}

export async function loadVisibleById(
  ctx: Context,
  caller: Caller,
  id: number,
): Promise<RepositoryView> {
  return hidingTime(async () => assertVisible(ctx, caller, await findCurrent(ctx, caller, id)))
}

/** Seen by nobody in particular: for what is shown to those who may see it. */
export async function repositoriesById(
  db: Executor,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Repository>> {
  return findRepositories(db, [...new Set(ids)])
}

/** By its path or an older one, seen by nobody in particular: for keys that open one repository. */
export async function findAt(ctx: Context, path: RepositoryPath): Promise<Repository | undefined> {
  const found = await findRepositoryByPath(ctx.db, path)
  if (found) return found
  const account = await findByName(ctx, path.owner)
  return account && findRedirected(ctx.db, account.id, path.repo)
}

/** What is there now, by its id. */
export async function findCurrent(
  ctx: Context,
  caller: Caller,
  id: number,
): Promise<RepositoryView> {
  const repo = await findRepositoryById(ctx.db, id)
  if (!repo) throw notFound()
  return viewRepository(ctx, caller, repo)
}

/** For the caller's next request, under the name that the repository has by now. */
export function keepView(ctx: Context, caller: Caller, found: Remembered<RepositoryView>): void {
  const view = found.value
  if (isVisible(ctx, caller, view)) ctx.repositoryCache.keep(keyOf(caller, pathOf(view)), found)
}

function pathOf({ owner, repo }: RepositoryView): RepositoryPath {
  return { owner: owner.name, repo: repo.name }
}

export function assertAdministers({ access }: RepositoryView): void {
  if (!reaches(access.level, 'admin')) {
    throw forbidden('user should be an owner or a collaborator with admin write of a repository')
  }
}

/** Reading one unit; administrators of the repository may always. */
export function assertReads({ access, units }: RepositoryView, unit: UnitKey): void {
  if (reaches(access.level, 'admin') || reaches(unitLevel(access, units, unit), 'read')) return
  throw forbidden('user should have specific read permission or be a repo admin or a site admin')
}

type Accessed = Pick<RepositoryView, 'access' | 'units'>

/** Whether the caller reads one unit: nobody reads one that is switched off. */
export function readsUnit({ access, units }: Accessed, unit: UnitKey): boolean {
  return reaches(unitLevel(access, units, unit), 'read')
}

export function writesUnit({ access, units }: Accessed, unit: UnitKey): boolean {
  return reaches(unitLevel(access, units, unit), 'write')
}

/** Changing what issues and pull requests share: labels, milestones. */
export function assertWritesTracker(view: RepositoryView): void {
  if (reaches(view.access.level, 'admin')) return
  if (writesUnit(view, 'repo.issues') || writesUnit(view, 'repo.pulls')) return
  throw forbidden('user should have a permission to write to a repo')
}

/** Changing one unit; administrators of the repository may always. */
export function assertWrites(view: RepositoryView, unit: UnitKey, where = 'a repo'): void {
  if (reaches(view.access.level, 'admin') || writesUnit(view, unit)) return
  throw forbidden(`user should have a permission to write to ${where}`)
}

export function assertNotArchived({ repo }: RepositoryView): void {
  if (repo.isArchived) throw new AppError('locked', 'repo is archived', { reason: 'archived' })
}

/**
 * Files are changed by commits of ours, of which neither an archive nor a copy of something else
 * gets any.
 */
export function assertEditable({ repo }: RepositoryView): void {
  if (repo.isArchived || repo.isMirror) {
    throw new AppError('locked', 'repo is not allowed to edit', { reason: 'read_only' })
  }
}

/** Whether the caller may commit files here at all; rules of branches may still forbid it. */
export function assertEditsCode(view: RepositoryView): void {
  assertEditable(view)
  assertWrites(view, 'repo.code', 'the target branch')
}

function assertVisible(ctx: Context, caller: Caller, view: RepositoryView): RepositoryView {
  if (!isVisible(ctx, caller, view)) throw notFound()
  return view
}

/** Whether a repository exists for this caller at all. */
export function isVisible(ctx: Context, caller: Caller, view: RepositoryView): boolean {
  if (!isWithinToken(caller, view)) return false
  if (lacksSecondFactor(ctx, caller)) return false
  return hasAnyAccess(view.access, view.units)
}

async function absent(ctx: Context, caller: Caller, path: RepositoryPath): Promise<Error> {
  const owner = await findByName(ctx, path.owner)
  return owner ? repositoryAbsent(ctx, caller, owner, path) : ownerAbsent(ctx, caller, path)
}

async function ownerAbsent(
  ctx: Context,
  caller: Caller,
  { owner }: RepositoryPath,
): Promise<Error> {
  const renamed = await findRenamed(ctx, caller, owner)
  return renamed ? new Moved('account', [{ from: owner, to: renamed.name }]) : notFound()
}

/** A redirect is given to callers who may see where it leads; nobody else learns the new name. */
async function repositoryAbsent(
  ctx: Context,
  caller: Caller,
  owner: Account,
  path: RepositoryPath,
): Promise<Error> {
  const moved: Repository | undefined = await findRedirected(ctx.db, owner.id, path.repo)
  if (!moved) return notFound()
  const view = await viewRepository(ctx, caller, moved)
  if (!isVisible(ctx, caller, view)) return notFound()
  return new Moved('repository', [
    { from: path.owner, to: view.owner.name },
    { from: path.repo, to: moved.name },
  ])
}
