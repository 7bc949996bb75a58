import { RequestWork } from '../concurrency/request-work.ts'
import { Slots } from './slots.ts'
import { GitError, type Git } from './run.ts'
import { gitOutput, splitLines } from './stream.ts'

/** Lines that follow each other and were written by the same commit. */
export interface BlamedLines {
  readonly commitId: string
  readonly count: number
}

const TIME_LIMIT_MS = 10_000
/** Each may take a core for all of that time. */
const slots = new Slots({ atOnce: 2, waiting: 8, patienceMs: 10_000 })

/**
 * Which commits wrote the lines of a file, from its first to its last; undefined where that takes
 * too long.
 */
export async function blame(
  git: Git,
  folder: string,
  { commitId, path }: { readonly commitId: string; readonly path: string },
): Promise<readonly BlamedLines[] | undefined> {
  // Who waits with the one place in hand for the other could wait for those who do the contrary.
  await RequestWork.current?.enter()
  const leave = await slots.take(new AbortController().signal)
  const end = Date.now() + TIME_LIMIT_MS
  const parameters = ['blame', '--porcelain', commitId, '--', path]
  try {
    const output = gitOutput(git, folder, parameters, { timeLimitMs: TIME_LIMIT_MS })
    return await collect(splitLines(output))
  } catch (error) {
    if (!(error instanceof GitError) || Date.now() < end) throw error
    return undefined
  } finally {
    leave()
  }
}

/**
 * Each line of the file has one of these before it: the commit, the number there, the number here.
 */
const head = /^([0-9a-f]{40,64}) \d+ \d+(?: \d+)?$/

async function collect(lines: AsyncIterable<string>): Promise<readonly BlamedLines[]> {
  const runs: { commitId: string; count: number }[] = []
  for await (const line of lines) {
    const commitId = head.exec(line)?.[1]
    if (commitId === undefined) continue
    const last = runs.at(-1)
    if (last?.commitId === commitId) last.count++
    else runs.push({ commitId, count: 1 })
  }
  return runs
}
