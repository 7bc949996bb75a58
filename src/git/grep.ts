import { GitError, type Git } from './run.ts'
import { Slots } from './slots.ts'
import { gitOutput } from './stream.ts'

export interface MatchedLine {
  readonly path: string
  readonly number: number
  readonly text: string
}

export interface Matches {
  readonly lines: readonly MatchedLine[]
  /** There may be more: it was too much, or took too long. */
  readonly isCut: boolean
}

const TIME_LIMIT_MS = 5_000
const MAX_BYTES = 1_048_576
/** Each may take a core for all of that time. */
const slots = new Slots({ atOnce: 2, waiting: 8, patienceMs: 10_000 })

/** The lines of text files that hold `words`, in small or capital letters. */
export async function grep(
  git: Git,
  folder: string,
  { commitId, words }: { readonly commitId: string; readonly words: string },
): Promise<Matches> {
  const leave = await slots.take(new AbortController().signal)
  const end = Date.now() + TIME_LIMIT_MS
  const how = ['--threads=1', '-n', '-I', '-i', '-z', '--fixed-strings']
  try {
    const parameters = ['grep', ...how, '-e', words, commitId]
    const found = gitOutput(git, folder, parameters, { timeLimitMs: TIME_LIMIT_MS })
    const { output, isCut } = await readSome(found, end)
    return { lines: parseLines(output), isCut }
  } finally {
    leave()
  }
}

/** What git finds, up to a size and a time. It fails when it finds nothing. */
async function readSome(
  chunks: AsyncIterable<Buffer>,
  end: number,
): Promise<{ readonly output: Buffer; readonly isCut: boolean }> {
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

/** `commit:path`, the number and the line, with a NUL between each; a path may have line breaks. */
const record = /[0-9a-f]+:([^\0]+)\0(\d+)\0([^\n]*)\n/gy

function parseLines(output: Buffer): readonly MatchedLine[] {
  return Array.from(
    output.toString('utf8').matchAll(record),
    ([, path = '', number, text = '']) => ({
      path,
      number: Number(number),
      text,
    }),
  )
}
