import { readRaw, type RawFile } from '../content/raw.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { readCommit } from '../../platform/git/history.ts'
import { findEntry, kindOf, type PathEntry } from '../../platform/git/tree.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { readingWiki, type Wiki } from './pages.ts'

/** A file of the wiki as it is, such as a picture of one of its pages. */
export async function loadWikiFile(
  ctx: Context,
  repo: Repository,
  path: string,
  headBytes: number,
): Promise<RawFile> {
  return readingWiki(ctx, repo, async (wiki) => {
    const entry = await findFile(wiki, path)
    if (!entry) throw notFound()
    return readRaw({ git: ctx.git, folder: wiki.folder, objects: wiki.objects }, entry, headBytes)
  })
}

/** Which of these are files of the wiki. */
export async function findWikiFiles(
  ctx: Context,
  repo: Repository,
  paths: Iterable<string>,
): Promise<ReadonlySet<string>> {
  return readingWiki(ctx, repo, async (wiki) => {
    const found = new Set<string>()
    for (const path of paths) if (await findFile(wiki, path)) found.add(path)
    return found
  })
}

async function findFile({ objects, commitId }: Wiki, path: string): Promise<PathEntry | undefined> {
  const { treeId } = await readCommit(objects, commitId)
  const entry = await findEntry(objects, treeId, path)
  return entry && kindOf(entry) === 'file' ? entry : undefined
}
