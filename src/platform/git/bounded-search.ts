import { RequestWork } from '../concurrency/request-work.ts'
import { GitError, type Git, type GitOptions } from './run.ts'
import { Slots } from './slots.ts'
import { gitOutput } from './stream.ts'

const TIME_LIMIT_MS = 5_000
const MAX_BYTES = 1_048_576
/** Each may take a core for all of that time. */
const slots = new Slots({ atOnce: 2, waiting: 8, patienceMs: 10_000 })

export interface SearchOutput {
  readonly output: Buffer
  /** There may be more: it was too much, or took too long. */
  readonly isCut: boolean
}

/** What git finds, up to a size and a time, and beside few others that search. */
export async function searchOutput(
  git: Git,
  folder: string,
  parameters: readonly string[],
  options: Pick<GitOptions, 'environment'> = {},
): Promise<SearchOutput> {
  // Who waits with the one place in hand for the other could wait for those who do the contrary.
  await RequestWork.current?.enter()
  const leave = await slots.take(new AbortController().signal)
  const end = Date.now() + TIME_LIMIT_MS
  try {
    const found = gitOutput(git, folder, parameters, { ...options, timeLimitMs: TIME_LIMIT_MS })
    return await readSome(found, end)
  } finally {
    leave()
  }
}

/** `git grep` fails when it finds nothing. */
async function readSome(chunks: AsyncIterable<Buffer>, end: number): Promise<SearchOutput> {
  const kept: Buffer[] = []
  let bytes = 0
  const result = (isCut: boolean) => ({ output: Buffer.concat(kept), isCut })
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes > MAX_BYTES) return result(true)
    }
    return result(false)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error.exitCode === 1) return result(false)
    if (Date.now() < end) throw error
    return result(true)
  }
}
