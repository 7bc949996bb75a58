import { join } from 'node:path'
import type { Caller, Context } from '../../platform/context.ts'
import { Moved, notFound } from '../../platform/errors.ts'
import { findChanges, rangeDiff, rangePatch, type CommitChanges } from '../../platform/git/diff.ts'
import { countCommits, listCommitIds, readCommits } from '../../platform/git/history.ts'
import { withObjects, withObjectsIn } from '../../platform/git/object-pool.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { findMergeBase } from '../../platform/git/merge-base.ts'
import type { Whitespace } from '../../platform/git/whitespace.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { assertReads, loadVisible } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { loadRevision } from './code.ts'

/** More commits than this are counted, and not shown. */
const MAX_COMPARED_COMMITS = 1_000

/** Two commits, with all that is needed to read both. */
export interface Compared {
  readonly base: string
  readonly head: string
  /** Whether the difference is to where the two parted, and not to the base itself. */
  readonly fromMergeBase: boolean
  /** With the objects of the repository that has the head, when it is another one. */
  readonly environment: Readonly<Record<string, string>>
}

export async function loadCompared(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  text: string,
): Promise<Compared> {
  const { base, head, dots } = splitComparison(view.repo, text)
  const other = await loadHeadRepository(ctx, caller, view, head.owner)
  const environment = alternate(ctx, view.repo, other)
  const find = (repo: Repository, name: string) =>
    withObjects(ctx.git, folderOf(ctx, repo), async (objects) => {
      return (await loadRevision(objects, repo, name)).commitId
    })
  return {
    base: await find(view.repo, base),
    head: await find(other, head.name),
    fromMergeBase: dots === '...',
    environment,
  }
}

export interface ComparedCommits {
  readonly commits: readonly Commit[]
  readonly total: number
}

export interface ChangesOfCompared extends ComparedCommits {
  readonly changes: (commitId: string) => CommitChanges
}

/** What the head has and the base lacks, newest first. */
export async function listCompared(
  ctx: Context,
  repo: Repository,
  { base, head, environment }: Compared,
  most = MAX_COMPARED_COMMITS,
): Promise<ComparedCommits> {
  const folder = folderOf(ctx, repo)
  const range = { from: head, without: [base], environment }
  const page = { offset: 0, limit: most }
  const ids = await listCommitIds(ctx.git, folder, range, page)
  const total = ids.length < page.limit ? ids.length : await countCommits(ctx.git, folder, range)
  const commits = await withObjectsIn(environment, ctx.git, folder, (objects) =>
    readCommits(objects, ids),
  )
  return { commits, total }
}

/** With what each of them changed: of a thousand commits git takes seconds to tell. */
export async function listComparedChanges(
  ctx: Context,
  repo: Repository,
  compared: Compared,
): Promise<ChangesOfCompared> {
  const found = await listCompared(ctx, repo, compared)
  const { environment } = compared
  const changes = await findChanges(ctx.git, folderOf(ctx, repo), found.commits, environment)
  return { ...found, changes }
}

/** What base and head differ in, as git prints it; or the commits between them, as mails. */
export async function comparedText(
  ctx: Context,
  repo: Repository,
  compared: Compared,
  form: 'diff' | 'patch',
  whitespace: Whitespace = 'show-all',
): Promise<AsyncIterable<Buffer>> {
  const folder = folderOf(ctx, repo)
  const { environment, head } = compared
  if (form === 'patch') return rangePatch(ctx.git, folder, compared, environment)
  const base = compared.fromMergeBase
    ? ((await findMergeBase(ctx.git, folder, compared, environment)) ?? compared.base)
    : compared.base
  return rangeDiff(ctx.git, folder, { base, head }, environment, { whitespace })
}

/** The names of two refs that are compared. */
export interface ComparedNames {
  readonly base: string
  readonly head: { readonly owner: string | undefined; readonly name: string }
  /** The head with its owner, as it was given. */
  readonly headText: string
  readonly dots: '..' | '...'
}

/**
 * No name of a reference has two dots in a row. Without them everything is compared with the
 * default branch.
 */
export function splitComparison({ defaultBranch }: Repository, text: string): ComparedNames {
  const [, before = '', dots = '...', after = ''] = /^(.*?)(\.{2,3})(.*)$/.exec(text) ?? []
  const head = after === '' ? text : after
  const [, owner, name = head] = /^([^:]+):(.+)$/.exec(head) ?? []
  return {
    base: before || defaultBranch,
    head: { owner, name },
    headText: head,
    dots: dots === '..' ? '..' : '...',
  }
}

/** The repository of that owner which is of the same family, as far as the caller may read it. */
async function loadHeadRepository(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  owner: string | undefined,
): Promise<Repository> {
  if (owner === undefined || owner.toLowerCase() === view.owner.name.toLowerCase()) return view.repo
  const [name = '', repo = view.repo.name] = owner.split('/')
  const other = await loadVisible(ctx, caller, { owner: name, repo }).catch((error: unknown) => {
    throw error instanceof Moved ? notFound() : error
  })
  assertReads(other, 'repo.code')
  if (!isRelated(view.repo, other.repo)) throw notFound()
  return other.repo
}

function isRelated(a: Repository, b: Repository): boolean {
  const root = ({ id, forkOf }: Repository) => forkOf ?? id
  return a.id === b.id || root(a) === root(b)
}

function alternate(ctx: Context, repo: Repository, other: Repository): Compared['environment'] {
  if (repo.id === other.id) return {}
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(folderOf(ctx, other), 'objects') }
}
