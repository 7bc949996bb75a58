import { diffForm } from './diff-form.ts'
import type { Comparison } from './diff.ts'
import type { Git } from './run.ts'
import { gitOutput } from './stream.ts'

/** A line of a file on one side of a difference. */
export interface Line {
  readonly side: 'old' | 'new'
  readonly number: number
}

/** How many lines before the one that is meant are shown with it. */
const LINES_BEFORE = 3
const MAX_DIFF_BYTES = 1024 * 1024
/** A path is a path, whatever characters it has. */
const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }

/**
 * The few lines of a difference that end in the given one; empty when it does not differ there. A
 * file that moved has two paths.
 */
export async function findHunk(
  git: Git,
  folder: string,
  { base, head }: Comparison,
  paths: readonly string[],
  line: Line,
): Promise<string> {
  const renames = paths.length > 1 ? [] : ['--no-renames']
  const form = ['diff', ...diffForm, '--no-ext-diff', '--no-textconv', ...renames]
  const parameters = [...form, base, head, '--', ...paths]
  const chunks: Buffer[] = []
  let seen = 0
  for await (const chunk of gitOutput(git, folder, parameters, { environment: literalPaths })) {
    chunks.push(chunk)
    seen += chunk.length
    if (seen > MAX_DIFF_BYTES) break
  }
  return cutHunk(Buffer.concat(chunks).toString('utf8').split('\n'), line)
}

interface Shown {
  readonly text: string
  readonly old: number
  readonly new: number
}

function cutHunk(diff: readonly string[], { side, number }: Line): string {
  let at: { old: number; new: number } | undefined
  let before: Shown[] = []
  for (const text of diff) {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text) ?? []
    if (oldStart !== undefined) {
      at = { old: Number(oldStart), new: Number(newStart) }
      before = []
    } else if (at && /^[ +-]/.test(text)) {
      before = [...before, { text, ...at }].slice(-LINES_BEFORE - 1)
      const isOnSide = !text.startsWith(side === 'new' ? '-' : '+')
      if (isOnSide && at[side] === number) return writeHunk(before)
      if (!text.startsWith('+')) at.old++
      if (!text.startsWith('-')) at.new++
    }
  }
  return ''
}

function writeHunk(lines: readonly Shown[]): string {
  const count = (other: string) => lines.filter(({ text }) => !text.startsWith(other)).length
  const [first] = lines
  const sides = `-${first?.old ?? 0},${count('+')} +${first?.new ?? 0},${count('-')}`
  return [`@@ ${sides} @@`, ...lines.map(({ text }) => text)].join('\n')
}
