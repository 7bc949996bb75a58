import { posix } from 'node:path'
import type { Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { findChanges, type CommitChanges } from '../../platform/git/diff.ts'
import { listComparedFiles } from '../../platform/git/range-files.ts'
import {
  countCommits,
  listCommitIds,
  listPathCommitIds,
  readCommit,
  readCommits,
  searchCommitIds,
  type Range,
} from '../../platform/git/history.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { isRefName } from '../../platform/git/ref-name.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { findNamedRevision, loadRevision, readingCode } from './code.ts'

export interface CommitFilter {
  readonly revision: string | undefined
  readonly path?: string | undefined
  readonly not?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** Newest first. */
export async function listCommits(
  ctx: Context,
  repo: Repository,
  filter: CommitFilter,
  page: Page,
): Promise<PageOf<Commit>> {
  if (repo.isEmpty) throw new AppError('conflict', 'Git Repository is empty.')
  return readingCode(ctx, repo, async (objects) => {
    const folder = folderOf(ctx, repo)
    const range = await rangeOf(objects, repo, filter)
    const { ids, total } = await listPage(ctx, folder, range, page)
    if (total === 0) await assertPathKnown(ctx, folder, range)
    return { items: await readCommits(objects, ids), total }
  })
}

async function listPage(ctx: Context, folder: string, range: Range, page: Page) {
  const { path } = range
  if (path !== undefined) return listPathCommitIds(ctx.git, folder, { ...range, path }, page)
  const total = await countCommits(ctx.git, folder, range)
  const ids = page.offset < total ? await listCommitIds(ctx.git, folder, range, page) : []
  return { ids, total }
}

export interface FoundCommits extends PageOf<Commit> {
  /** Not all that there are. */
  readonly isCut: boolean
}

/** Those of them whose message holds `words`. */
export async function searchCommits(
  ctx: Context,
  repo: Repository,
  filter: CommitFilter & { readonly words: string },
  { offset, limit }: Page,
): Promise<FoundCommits> {
  return readingCode(ctx, repo, async (objects) => {
    const folder = folderOf(ctx, repo)
    const range = await rangeOf(objects, repo, filter)
    const { ids, isCut } = await searchCommitIds(ctx.git, folder, range, filter.words)
    if (ids.length === 0) await assertPathKnown(ctx, folder, range)
    const items = await readCommits(objects, ids.slice(offset, offset + limit))
    return { items, total: ids.length, isCut }
  })
}

/** How many commits lead to this one, itself among them. */
export async function countHistory(
  ctx: Context,
  repo: Repository,
  { id }: Commit,
): Promise<number> {
  return countCommits(ctx.git, folderOf(ctx, repo), { from: id })
}

async function rangeOf(
  objects: ObjectReader,
  repo: Repository,
  { revision, not, path, since, until }: CommitFilter,
): Promise<Range> {
  const { commitId: from } = await loadRevision(objects, repo, revision)
  const without = not ? [(await loadRevision(objects, repo, not)).commitId] : []
  return {
    from,
    without,
    ...(path ? { path: inside(path) } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
}

/** What leads out of the tree is in no commit. */
function inside(path: string): string {
  if (posix.normalize(path).split('/')[0] === '..') throw notFound()
  return path
}

/** A path that no commit ever touched is unknown; one that none touched at the time is not. */
async function assertPathKnown(ctx: Context, folder: string, range: Range): Promise<void> {
  if (range.path === undefined) return
  const always = { from: range.from, path: range.path }
  const touched = await listCommitIds(ctx.git, folder, always, { offset: 0, limit: 1 })
  if (touched.length === 0) throw notFound()
}

export async function loadCommit(ctx: Context, repo: Repository, name: string): Promise<Commit> {
  if (!isRefName(name)) throw invalid(`no valid ref or sha: ${name}`)
  return readingCode(ctx, repo, async (objects) => {
    const revision = await findNamedRevision(objects, repo, name)
    if (!revision) throw notFound(`commit doesn't exist: ${name}`)
    return readCommit(objects, revision.commitId)
  })
}

/** What the commits changed, unless nobody wants to know. */
export async function changesOf(
  ctx: Context,
  repo: Repository,
  commits: readonly Commit[],
): Promise<(commitId: string) => CommitChanges> {
  return findChanges(ctx.git, folderOf(ctx, repo), commits)
}

export interface CommitTally {
  readonly files: number
  readonly additions: number
  readonly deletions: number
}

/**
 * How much a commit changed, as people count it: what has only moved is one file, and none of its
 * lines.
 */
export async function tallyOf(
  ctx: Context,
  repo: Repository,
  commit: Commit,
): Promise<CommitTally> {
  const [base] = commit.parents
  if (base === undefined) {
    const { files, additions, deletions } = (await changesOf(ctx, repo, [commit]))(commit.id)
    return { files: files.length, additions, deletions }
  }
  const range = { base, head: commit.id }
  const files = await listComparedFiles(ctx.git, folderOf(ctx, repo), range)
  return {
    files: files.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  }
}
