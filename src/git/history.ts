import { parseCommit, type Commit } from './parse.ts'
import type { ObjectReader } from './objects.ts'
import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'

/** Which commits: all ids, nothing that a user wrote. */
export interface Range {
  readonly from: string
  /** Commits that these reach are left out. */
  readonly without?: readonly string[]
  readonly path?: string
  /** Whole seconds since 1970. */
  readonly since?: number
  readonly until?: number
}

/** A path is a path, whatever characters it has. */
const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }

/** After so many commits that touched a folder, the rest of its entries stays without a last commit. */
const MAX_WALKED_COMMITS = 20_000

/** Newest first. */
export async function listCommitIds(
  git: Git,
  folder: string,
  range: Range,
  { offset, limit }: { offset: number; limit: number },
): Promise<readonly string[]> {
  const parameters = ['rev-list', `--skip=${offset}`, `--max-count=${limit}`, ...select(range)]
  const text = await git.text(folder, parameters, { environment: literalPaths })
  return text === '' ? [] : text.split('\n')
}

export async function countCommits(git: Git, folder: string, range: Range): Promise<number> {
  const parameters = ['rev-list', '--count', ...select(range)]
  return Number(await git.text(folder, parameters, { environment: literalPaths }))
}

export async function readCommits(
  objects: ObjectReader,
  ids: readonly string[],
): Promise<readonly Commit[]> {
  const found = await Promise.all(ids.map((id) => objects.read(id)))
  return found.flatMap((object) => (object?.type === 'commit' ? [parseCommit(object)] : []))
}

export async function readCommit(objects: ObjectReader, id: string): Promise<Commit> {
  const [commit] = await readCommits(objects, [id])
  if (!commit) throw new Error(`${id} is no commit`)
  return commit
}

/** For each of the names in the folder `path` the commit that changed it last, by one walk. */
export async function findLastCommits(
  git: Git,
  folder: string,
  { from, path, names }: { from: string; path: string; names: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(names)
  const found = new Map<string, string>()
  const parameters = [
    'log',
    '-c',
    '--name-only',
    '--no-renames',
    '-z',
    '--format=%x00%H',
    `--max-count=${MAX_WALKED_COMMITS}`,
    from,
    '--',
    ...(path === '' ? [] : [path]),
  ]
  const output = gitOutput(git, folder, parameters, { environment: literalPaths })
  for await (const { commitId, changed } of changes(splitAtNul(output))) {
    const [name = ''] = changed.slice(path === '' ? 0 : path.length + 1).split('/')
    if (wanted.delete(name)) found.set(name, commitId)
    if (wanted.size === 0) break
  }
  return found
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

function select({ from, without = [], path, since, until }: Range): string[] {
  return [
    ...(since === undefined ? [] : [`--since=@${since}`]),
    ...(until === undefined ? [] : [`--until=@${until}`]),
    from,
    ...without.map((id) => `^${id}`),
    '--',
    ...(path ? [path] : []),
  ]
}
