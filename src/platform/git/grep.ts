import { searchOutput } from './bounded-search.ts'
import type { Git } from './run.ts'

interface MatchedLine {
  readonly path: string
  readonly number: number
  readonly text: string
}

export interface Matches {
  readonly lines: readonly MatchedLine[]
  /** There may be more: it was too much, or took too long. */
  readonly isCut: boolean
}

/** The lines of text files that hold `words`, in small or capital letters. */
export async function grep(
  git: Git,
  folder: string,
  { commitId, words }: { readonly commitId: string; readonly words: string },
): Promise<Matches> {
  const how = ['--threads=1', '-n', '-I', '-i', '-z', '--fixed-strings']
  const parameters = ['grep', ...how, '-e', words, commitId]
  const { output, isCut } = await searchOutput(git, folder, parameters)
  return { lines: parseLines(output), isCut }
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
