import { searchOutput } from './bounded-search.ts'
import { keepHistory } from './kept-history.ts'
import type { Commit } from './parse.ts'
import type { ObjectReader } from './objects.ts'
import type { Git } from './run.ts'

/** Which commits: all ids, nothing that a user wrote. */
export interface Range {
  readonly from: string
  /** Commits that these reach are left out. */
  readonly without?: readonly string[]
  readonly path?: string
  /** Without what came with merges. */
  readonly firstParents?: boolean
  /** Whole seconds since 1970. */
  readonly since?: number
  readonly until?: number
  /** Added to git's, for objects that lie elsewhere. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A path is a path, whatever characters it has. */
const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }

/** Newest first. */
export async function listCommitIds(
  git: Git,
  folder: string,
  range: Range,
  { offset, limit }: { offset: number; limit: number },
): Promise<readonly string[]> {
  const text = await revList(git, folder, range, [`--skip=${offset}`, `--max-count=${limit}`])
  return text === '' ? [] : text.split('\n')
}

export async function countCommits(git: Git, folder: string, range: Range): Promise<number> {
  return Number(await revList(git, folder, range, ['--count']))
}

export interface FoundCommitIds {
  readonly ids: readonly string[]
  /** There may be more: it was too much, or took too long. */
  readonly isCut: boolean
}

const MAX_FOUND = 1_000

/** Those whose message holds `words`, in small or capital letters, newest first. */
export async function searchCommitIds(
  git: Git,
  folder: string,
  range: Range,
  words: string,
): Promise<FoundCommitIds> {
  const how = ['-i', '--fixed-strings', `--grep=${words}`, `--max-count=${MAX_FOUND + 1}`]
  const parameters = ['rev-list', ...how, ...select(range)]
  const found = await searchOutput(git, folder, parameters, { environment: literalPaths })
  const ids = found.output.toString('latin1').split('\n').slice(0, -1)
  return { ids: ids.slice(0, MAX_FOUND), isCut: found.isCut || ids.length > MAX_FOUND }
}

/** Longer lists are not kept as a whole. */
const MAX_LISTED = 20_000

/**
 * One page of the commits of a path, and how many there are. To count them git has to look at the
 * whole history, so it lists them all in the same walk, which is kept for the next page.
 */
export async function listPathCommitIds(
  git: Git,
  folder: string,
  range: Range & { readonly path: string },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const text = await revList(git, folder, range, [`--max-count=${MAX_LISTED + 1}`])
  const ids = text === '' ? [] : text.split('\n')
  if (ids.length <= MAX_LISTED) return { ids: ids.slice(offset, offset + limit), total: ids.length }
  return {
    ids: await listCommitIds(git, folder, range, { offset, limit }),
    total: await countCommits(git, folder, range),
  }
}

async function revList(
  git: Git,
  folder: string,
  range: Range,
  options: readonly string[],
): Promise<string> {
  const parameters = ['rev-list', ...options, ...select(range)]
  const environment = { ...literalPaths, ...range.environment }
  return keepHistory(git, [folder, environment, parameters], async () => {
    const value = await git.text(folder, parameters, { environment })
    return { value, weight: value.length }
  })
}

export async function readCommits(
  objects: ObjectReader,
  ids: readonly string[],
): Promise<readonly Commit[]> {
  const found = await Promise.all(ids.map((id) => objects.parsed('commit', id)))
  return found.filter((commit) => commit !== undefined)
}

export async function readCommit(objects: ObjectReader, id: string): Promise<Commit> {
  const [commit] = await readCommits(objects, [id])
  if (!commit) throw new Error(`${id} is no commit`)
  return commit
}

function select({ from, without = [], path, firstParents, since, until }: Range): string[] {
  return [
    ...(firstParents ? ['--first-parent'] : []),
    ...(since === undefined ? [] : [`--since=@${since} +0000`]),
    ...(until === undefined ? [] : [`--until=@${until} +0000`]),
    from,
    ...without.map((id) => `^${id}`),
    '--',
    ...(path ? [path] : []),
  ]
}
