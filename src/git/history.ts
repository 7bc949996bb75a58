import { searchOutput } from './bounded-search.ts'
import { keepHistory } from './kept-history.ts'
import type { Commit } from './parse.ts'
import type { ObjectReader } from './objects.ts'
import { GitError, type Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'

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

/** After so many commits that touched a folder, or so much time, the rest of its entries stays without a last commit. */
const MAX_WALKED_COMMITS = 20_000
const MAX_WALK_MS = 5_000

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

export interface LastCommitsOptions {
  readonly from: string
  /** Where to look: files and folders. */
  readonly within: readonly string[]
  /** What to find a commit for; with `entriesOf`, also the folder itself, without the slash. */
  readonly paths: readonly string[]
  /** The folder whose entries they are, with a slash at its end: what changes in one of them changes it. */
  readonly entriesOf?: string
}

/** For each of the paths the commit that changed it last, by one walk. */
export async function findLastCommits(
  git: Git,
  folder: string,
  options: LastCommitsOptions,
): Promise<ReadonlyMap<string, string>> {
  const { from, within, paths, entriesOf = null } = options
  if (paths.length === 0) return new Map()
  return keepHistory(git, [folder, from, within, paths, entriesOf], async () => {
    const value = await walkToLastCommits(git, folder, options)
    // What a walk that took too long has missed, another may find.
    const isWhole = value.size === new Set(paths).size
    return { value, weight: isWhole ? paths.join('').length + 100 * paths.length : Infinity }
  })
}

async function walkToLastCommits(
  git: Git,
  folder: string,
  { from, within, paths, entriesOf }: LastCommitsOptions,
): Promise<ReadonlyMap<string, string>> {
  const pathOf = (changed: string) =>
    entriesOf === undefined ? changed : entriesOf + changed.slice(entriesOf.length).split('/')[0]
  const wanted = new Set(paths)
  const found = new Map<string, string>()
  const form = ['-c', '--name-only', '--no-renames', '-z', '--format=%x00%H']
  const parameters = ['log', ...form, `--max-count=${MAX_WALKED_COMMITS}`, from, '--', ...within]
  const options = { environment: literalPaths, timeLimitMs: MAX_WALK_MS }
  const output = untilTime(gitOutput(git, folder, parameters, options))
  for await (const { commitId, changed } of changes(splitAtNul(output))) {
    for (const path of [pathOf(changed), entriesOf?.slice(0, -1)]) {
      if (path !== undefined && wanted.delete(path)) found.set(path, commitId)
    }
    if (wanted.size === 0) break
  }
  return found
}

/** A process that was ended for its time is no failure here. */
async function* untilTime(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const end = Date.now() + MAX_WALK_MS
  try {
    yield* chunks
  } catch (error) {
    if (!(error instanceof GitError) || Date.now() < end) throw error
  }
}

/** An empty text announces a commit; the names of its files follow, the first after a line break. */
async function* changes(
  texts: AsyncIterable<string>,
): AsyncGenerator<{ commitId: string; changed: string }> {
  let commitId = ''
  let isAnnounced = false
  for await (const text of texts) {
    if (text === '') isAnnounced = true
    else if (isAnnounced) {
      commitId = text
      isAnnounced = false
    } else yield { commitId, changed: text.replace(/^\n/, '') }
  }
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
