import { readingCode } from '../../code/commits/code.ts'
import { loadComparedPatch } from '../../code/commits/patch.ts'
import type { Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { rangeDiff, rangePatch } from '../../platform/git/diff.ts'
import { countCommits, listCommitIds, readCommits } from '../../platform/git/history.ts'
import type { Commit } from '../../platform/git/parse.ts'
import type { Patch } from '../../platform/git/patch.ts'
import { listComparedFiles, type ComparedFile } from '../../platform/git/range-files.ts'
import type { Whitespace } from '../../platform/git/whitespace.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { Commits } from './check.ts'
import type { Pull } from './pull.ts'

/** What a pull request changes is what its head has since the two parted. */
export function comparedBy({
  mergeBase,
  baseCommitId,
  headCommitId,
}: Pick<Pull, 'mergeBase' | 'baseCommitId' | 'headCommitId'>): Commits {
  return { base: mergeBase || baseCommitId, head: headCommitId }
}

export function pullText(
  ctx: Context,
  repo: Repository,
  pull: Pull,
  { form, binary }: { readonly form: string; readonly binary: boolean },
): AsyncIterable<Buffer> {
  const folder = folderOf(ctx, repo)
  const compared = comparedBy(pull)
  if (form === 'patch') return rangePatch(ctx.git, folder, compared)
  return rangeDiff(ctx.git, folder, compared, {}, { binary })
}

/** What it changes, for people to read, as far as it is shown. */
export async function loadPullPatch(
  ctx: Context,
  repo: Repository,
  pull: Pull,
  whitespace: Whitespace = 'show-all',
): Promise<Patch> {
  const compared = { ...comparedBy(pull), fromMergeBase: false, environment: {} }
  return loadComparedPatch(ctx, repo, compared, whitespace)
}

export interface FilesOptions {
  readonly whitespace: Whitespace
  /** The path of the first one; empty for all. */
  readonly skipTo: string
}

export async function listPullFiles(
  ctx: Context,
  repo: Repository,
  pull: Pull,
  { whitespace, skipTo }: FilesOptions,
  page: Page,
): Promise<PageOf<ComparedFile>> {
  const all = await listComparedFiles(ctx.git, folderOf(ctx, repo), comparedBy(pull), whitespace)
  const first = skipTo === '' ? 0 : all.findIndex(({ path }) => path === skipTo)
  const files = all.slice(Math.max(0, first))
  return { items: files.slice(page.offset, page.offset + page.limit), total: files.length }
}

/** Newest first. */
export async function listPullCommits(
  ctx: Context,
  repo: Repository,
  pull: Pull,
  page: Page,
): Promise<PageOf<Commit>> {
  const folder = folderOf(ctx, repo)
  const { base, head } = comparedBy(pull)
  const range = { from: head, without: [base] }
  const total = await countCommits(ctx.git, folder, range)
  const ids = page.offset < total ? await listCommitIds(ctx.git, folder, range, page) : []
  return { items: await readingCode(ctx, repo, (objects) => readCommits(objects, ids)), total }
}
