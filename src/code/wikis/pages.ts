import type { Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import { countCommits, listCommitIds, readCommit, readCommits } from '../../platform/git/history.ts'
import { findLastCommits } from '../../platform/git/last-commits.ts'
import { withObjects } from '../../platform/git/object-pool.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Commit, TreeEntry } from '../../platform/git/parse.ts'
import { findBranch } from '../../platform/git/revisions.ts'
import { kindOf, readTree } from '../../platform/git/tree.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { wikiToRead } from './folder.ts'
import { headOf } from './after-change.ts'
import { filesMeantBy, FOOTER, isPageFile, SIDEBAR } from './name.ts'

/** A page, by the name of its file. */
export interface WikiPage {
  readonly file: string
  readonly lastCommit: Commit | undefined
}

export interface WholePage extends WikiPage {
  /** Of its text. */
  readonly id: string
  /** Empty where it is too large for a record. */
  readonly content: Buffer
  readonly isTooLarge: boolean
  readonly sidebar: Buffer
  readonly footer: Buffer
  readonly commitCount: number
}

/** A wiki as it is at its last commit. */
export interface Wiki {
  readonly ctx: Context
  readonly folder: string
  readonly objects: ObjectReader
  readonly commitId: string
  readonly entries: readonly TreeEntry[]
}

export async function loadPage(ctx: Context, repo: Repository, name: string): Promise<WholePage> {
  return readingWiki(ctx, repo, async (wiki) => {
    const { name: file, id } = loadEntry(wiki.entries, name)
    const [lastCommit] = await lastCommits(wiki, [file])
    const content = await findContent(wiki, id)
    const range = { from: wiki.commitId, path: file }
    return {
      id,
      file,
      lastCommit,
      content: content ?? Buffer.alloc(0),
      isTooLarge: content === undefined,
      sidebar: await readBeside(wiki, SIDEBAR),
      footer: await readBeside(wiki, FOOTER),
      commitCount: await countCommits(ctx.git, wiki.folder, range),
    }
  })
}

/** In the order of their files. */
export async function listPages(
  ctx: Context,
  repo: Repository,
  { offset, limit }: Page,
): Promise<PageOf<WikiPage>> {
  return readingWiki(ctx, repo, async (wiki) => {
    const all = wiki.entries.filter(isPage).map(({ name }) => name)
    const files = all.slice(offset, offset + limit)
    const commits = await lastCommits(wiki, files)
    const items = files.map((file, index) => ({ file, lastCommit: commits[index] }))
    return { items, total: all.length }
  })
}

/** The commits that changed a page, newest first. */
export async function listRevisions(
  ctx: Context,
  repo: Repository,
  name: string,
  page: Page,
): Promise<PageOf<Commit>> {
  return readingWiki(ctx, repo, async ({ folder, objects, commitId, entries }) => {
    const range = { from: commitId, path: loadEntry(entries, name).name }
    const total = await countCommits(ctx.git, folder, range)
    const ids = page.offset < total ? await listCommitIds(ctx.git, folder, range, page) : []
    return { items: await readCommits(objects, ids), total }
  })
}

/** A page by what stands in a path. */
export function loadEntry(entries: readonly TreeEntry[], name: string): TreeEntry {
  for (const file of filesMeantBy(name)) {
    const entry = entries.find((one) => one.name === file && isPage(one))
    if (entry) return entry
  }
  throw notFound()
}

/** What is in the root folder of a wiki at a commit; nothing where there is none yet. */
export async function readEntries(
  objects: ObjectReader,
  commitId: string | undefined,
): Promise<readonly TreeEntry[]> {
  if (commitId === undefined) return []
  return readTree(objects, (await readCommit(objects, commitId)).treeId)
}

export function isPage(entry: TreeEntry): boolean {
  return isPageFile(entry.name) && kindOf(entry) === 'file'
}

/** A wiki without a commit is not there. */
export async function readingWiki<T>(
  ctx: Context,
  repo: Repository,
  work: (wiki: Wiki) => Promise<T>,
): Promise<T> {
  const folder = await wikiToRead(ctx, repo)
  return withObjects(ctx.git, folder, async (objects) => {
    const branch = await findBranch(objects, await headOf(folder))
    if (!branch) throw notFound()
    const { commitId } = branch
    const entries = await readEntries(objects, commitId)
    return work({ ctx, folder, objects, commitId, entries })
  })
}

async function lastCommits(
  { ctx, folder, objects, commitId }: Wiki,
  files: readonly string[],
): Promise<readonly (Commit | undefined)[]> {
  const within = files.length === 1 ? files : []
  const ids = await findLastCommits(ctx.git, folder, { from: commitId, within, paths: files })
  const commits = await readCommits(objects, [...new Set(ids.values())])
  const byId = new Map(commits.map((commit) => [commit.id, commit]))
  return files.map((file) => byId.get(ids.get(file) ?? ''))
}

async function readBeside(wiki: Wiki, file: string): Promise<Buffer> {
  const entry = wiki.entries.find((one) => one.name === file && isPage(one))
  return (entry && (await findContent(wiki, entry.id))) ?? Buffer.alloc(0)
}

/** Nothing of what is too large for a record. */
async function findContent({ ctx, objects }: Wiki, id: string): Promise<Buffer | undefined> {
  return (await objects.read(id, ctx.config.api.default_max_blob_size))?.content
}
