import { isAncestor } from './merge-base.ts'
import type { Git } from './run.ts'

/**
 * The commit by which a branch came to have `head`: the first of its own line that has it, be it a
 * merge or what was pushed; `head` itself where the branch was moved on to it. Whoever asks knows
 * that `tip` has it.
 */
export async function findBringingCommit(
  git: Git,
  folder: string,
  { head, tip }: { readonly head: string; readonly tip: string },
): Promise<string> {
  const listed = await git.text(folder, ['rev-list', '--first-parent', tip, `^${head}`])
  const line = listed.split('\n').filter((id) => id !== '')
  const first = await findFirstWith(git, folder, head, line)
  if (first === undefined) return head
  const before = await git.text(folder, ['rev-parse', `${first}^1`])
  return before === head ? head : first
}

/** Newest first; all that come after the first one with `head` have it, too. */
async function findFirstWith(
  git: Git,
  folder: string,
  head: string,
  line: readonly string[],
): Promise<string | undefined> {
  let [known, lacking] = [0, line.length]
  while (lacking - known > 1) {
    const middle = Math.floor((known + lacking) / 2)
    const isIn = await isAncestor(git, folder, { base: head, head: line[middle] ?? '' })
    if (isIn) known = middle
    else lacking = middle
  }
  return line[known]
}
