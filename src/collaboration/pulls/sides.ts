import { join } from 'node:path'
import { readingCode } from '../../code/commits/code.ts'
import type { Caller, Context } from '../../platform/context.ts'
import { invalid, Moved, notFound } from '../../platform/errors.ts'
import { copyObjects } from '../../platform/git/copy-objects.ts'
import { findMergeBase } from '../../platform/git/merge-base.ts'
import { findRevision } from '../../platform/git/revisions.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { readsUnit, loadVisible } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { viewRepository, type RepositoryView } from '../../repositories/repository/view.ts'
import { findRelative } from './queries.ts'

/** A branch of a repository, and where it is. */
export interface Side {
  readonly repo: Repository
  readonly branch: string
  readonly commitId: string
}

/** `branch`, `owner:branch` or `owner/repository:branch`, as far as the caller may read it. */
export async function loadHead(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  text: string,
): Promise<Side> {
  const { place, branch } = splitHead(text)
  const repo = await loadHeadRepository(ctx, caller, view, place)
  return { repo, branch, commitId: await loadBranch(ctx, repo, branch) }
}

export function splitHead(text: string): { readonly place: string; readonly branch: string } {
  const [, place = '', branch = text] = /^([^:]*):(.+)$/.exec(text) ?? []
  return { place, branch }
}

export async function loadHeadRepository(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  place: string,
): Promise<Repository> {
  const [owner = '', name] = place.split('/')
  const isOwn = owner.toLowerCase() === view.owner.name.toLowerCase()
  if (place === '' || (isOwn && (name === undefined || sameName(name, view.repo)))) return view.repo
  const other =
    name === undefined
      ? await viewRelative(ctx, caller, view, owner)
      : await loadNamed(ctx, caller, owner, name)
  if (!other || !readsUnit(other, 'repo.code') || !isRelated(view.repo, other.repo)) {
    throw notFound()
  }
  return other.repo
}

function sameName(name: string, repo: Repository): boolean {
  return name.toLowerCase() === repo.name.toLowerCase()
}

async function viewRelative(
  ctx: Context,
  caller: Caller,
  { repo }: RepositoryView,
  owner: string,
): Promise<RepositoryView | undefined> {
  const found = await findRelative(ctx.db, repo, owner)
  return found && viewRepository(ctx, caller, found)
}

/** Nobody is sent on to a new name from here. */
async function loadNamed(ctx: Context, caller: Caller, owner: string, repo: string) {
  return loadVisible(ctx, caller, { owner, repo }).catch((error: unknown) => {
    throw error instanceof Moved ? notFound() : error
  })
}

function isRelated(a: Repository, b: Repository): boolean {
  const root = ({ id, forkOf }: Repository) => forkOf ?? id
  return a.id === b.id || root(a) === root(b)
}

/** Where a branch is; what is there and is no branch cannot be pulled. */
export async function loadBranch(ctx: Context, repo: Repository, name: string): Promise<string> {
  const { defaultBranch } = repo
  const found = await readingCode(ctx, repo, (objects) =>
    findRevision(objects, name, { defaultBranch }),
  )
  if (!found) throw notFound()
  if (found.kind !== 'branch' || found.name !== name) {
    throw invalid(`Invalid PullRequest: ${name} is not a branch`)
  }
  return found.commitId
}

/** Makes the commit of the head one of the base's repository too. */
export async function bringHead(
  ctx: Context,
  base: Side,
  head: Omit<Side, 'branch'>,
): Promise<void> {
  if (base.repo.id === head.repo.id) return
  const [from, to] = [folderOf(ctx, head.repo), folderOf(ctx, base.repo)]
  const known = await readingCode(ctx, base.repo, (objects) => objects.info(head.commitId))
  if (known) return
  const environment = { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(from, 'objects') }
  const commits = { base: base.commitId, head: head.commitId }
  const common = await findMergeBase(ctx.git, to, commits, environment)
  await copyObjects(ctx.git, { from, to }, { commitId: head.commitId, common })
}
