import { findGraphTime } from './commit-graph.ts'
import { keepHistory } from './kept-history.ts'
import { PathTrails } from './path-trails.ts'
import { GitError, type Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'

/** A path is a path, whatever characters it has. */
const environment = { GIT_LITERAL_PATHSPECS: '1' }

/** After so many commits it is faster to search for each path that is left, if they are few. */
const WALKED_COMMITS = 400
const SEARCHED_PATHS = 128
const SEARCHES_AT_ONCE = 4
/** What is not found by then is looked for when somebody asks again. */
const MAX_MS = 5_000

export interface LastCommitsOptions {
  readonly from: string
  /** Where to look: files and folders. */
  readonly within: readonly string[]
  /** What to find a commit for; with `entriesOf`, also the folder itself, without the slash. */
  readonly paths: readonly string[]
  /** The folder whose entries they are, with a slash at its end. What changes in one changes it. */
  readonly entriesOf?: string
}

/**
 * For each of the paths the commit that changed it last, as `git log -1 COMMIT -- PATH` has it: a
 * merge that took a path as one of its parents had it did not change it.
 */
export async function findLastCommits(
  git: Git,
  folder: string,
  options: LastCommitsOptions,
): Promise<ReadonlyMap<string, string>> {
  const { from, within, paths, entriesOf = null } = options
  if (paths.length === 0) return new Map()
  let isNew = false
  const trails = await keepHistory(git, [folder, from, within, paths, entriesOf], async () => {
    isNew = true
    const begun = new PathTrails(from, paths, entriesOf ?? undefined)
    await follow(git, folder, begun, within)
    return { value: begun, weight: paths.join('').length + 150 * paths.length }
  })
  if (!isNew && trails.left > 0) await search(git, folder, trails, Date.now() + MAX_MS)
  return trails.found
}

async function follow(
  git: Git,
  folder: string,
  trails: PathTrails,
  within: readonly string[],
): Promise<void> {
  const end = Date.now() + MAX_MS
  const hasGraph = (await findGraphTime(folder)) !== undefined
  const isFasterToSearch = () =>
    hasGraph && trails.walked >= WALKED_COMMITS && trails.left <= SEARCHED_PATHS
  const form = ['--raw', '--no-renames', '--format=oneline', '--source', '-z']
  const parameters = ['log', ...form, '--full-history', '--parents', '-m', trails.from, '--']
  const options = { environment, timeLimitMs: MAX_MS }
  const walk = async () => {
    const output = gitOutput(git, folder, [...parameters, ...within], options)
    for await (const text of splitAtNul(output)) {
      trails.read(text)
      if (trails.left === 0 || isFasterToSearch()) return
    }
    trails.settle()
  }
  await untilTime(walk(), end)
  await search(git, folder, trails, end)
}

/** From where the walk has left each path, with git's index of what each commit has changed. */
async function search(git: Git, folder: string, trails: PathTrails, end: number): Promise<void> {
  const left = trails.positions()
  const searchOn = async () => {
    for (let next = left.pop(); next && Date.now() < end; next = left.pop()) {
      const { path, commitId } = next
      const parameters = ['log', '-1', '--format=%H', commitId, '--', path]
      const options = { environment, timeLimitMs: Math.max(1, end - Date.now()) }
      const text = await untilTime(git.text(folder, parameters, options), end)
      if (text) trails.end(path, text)
    }
  }
  await Promise.all(Array.from({ length: SEARCHES_AT_ONCE }, searchOn))
}

/** A process that was ended for its time is no failure here. */
async function untilTime<T>(work: Promise<T>, end: number): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof GitError) || Date.now() < end) throw error
    return undefined
  }
}
