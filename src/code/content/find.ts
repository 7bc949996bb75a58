import { readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { mapInTurns } from '../../platform/concurrency/give-way.ts'
import { readCommit } from '../../platform/git/history.ts'
import { keepHistory } from '../../platform/git/kept-history.ts'
import type { Revision } from '../../platform/git/revisions.ts'
import { findEntry, kindOf, splitPath, walkTree } from '../../platform/git/tree.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { rankPath } from './path-rank.ts'
import { placesOf, type RefKind } from './places.ts'

/** A ref by its name, and a path behind it that need not be there. */
export async function loadPlace(
  ctx: Context,
  repo: Repository,
  kind: RefKind | 'any',
  refAndPath: string,
): Promise<{ readonly revision: Revision; readonly path: string }> {
  return readingCode(ctx, repo, async (objects) => {
    for await (const place of placesOf(objects, repo, kind, splitPath(refAndPath))) return place
    throw notFound()
  })
}

/** The closest folder above a path that is still there. */
export async function nearestFolder(
  ctx: Context,
  repo: Repository,
  commitId: string,
  path: string,
): Promise<string> {
  return readingCode(ctx, repo, async (objects) => {
    const { treeId } = await readCommit(objects, commitId)
    const above = splitPath(path).slice(0, -1)
    while (above.length > 0) {
      const entry = await findEntry(objects, treeId, above.join('/'))
      if (entry && kindOf(entry) === 'dir') break
      above.pop()
    }
    return above.join('/')
  })
}

export interface FoundPaths {
  readonly paths: readonly string[]
  readonly total: number
}

/** Files whose paths fit all of the words, those first that fit best. */
export async function findPaths(
  ctx: Context,
  repo: Repository,
  commitId: string,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<FoundPaths> {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const all = await listPaths(ctx, repo, commitId)
  const ranked = await mapInTurns(all, (path) => ({ path, rank: rankPath(path, words) }))
  const found = ranked.flatMap(({ path, rank }) => (rank === undefined ? [] : [{ path, rank }]))
  found.sort((one, other) => one.rank - other.rank)
  return { paths: found.slice(0, limit).map(({ path }) => path), total: found.length }
}

async function listPaths(
  ctx: Context,
  repo: Repository,
  commitId: string,
): Promise<readonly string[]> {
  const folder = folderOf(ctx, repo)
  return keepHistory(ctx.git, [folder, 'paths', commitId], async () => {
    const { entries } = await walkTree(ctx.git, folder, commitId)
    const value = entries.filter((entry) => kindOf(entry) !== 'dir').map(({ path }) => path)
    return { value, weight: value.reduce((sum, path) => sum + path.length + 50, 0) }
  })
}
