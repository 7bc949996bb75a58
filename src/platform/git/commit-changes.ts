import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'

/** The files that a commit changes, against its first parent. */
export interface CommitChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly modified: readonly string[]
}

export const noChanges: CommitChanges = { added: [], removed: [], modified: [] }

const options = [
  '--no-walk=unsorted',
  '-z',
  '--format=%H',
  '--name-status',
  '--no-renames',
  '--diff-merges=first-parent',
  '--root',
]

/** Of commits that touch more, the rest is left out. */
const MAX_FILES = 3_000

/** What each of these commits changes, by one process; renames are a removal and an addition. */
export async function findCommitChanges(
  git: Git,
  folder: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CommitChanges>> {
  const changes = new Map<string, Record<keyof CommitChanges, string[]>>()
  if (ids.length === 0) return changes
  const output = gitOutput(git, folder, ['log', ...options, ...ids, '--'])
  let files = { added: [], removed: [], modified: [] } as Record<keyof CommitChanges, string[]>
  let kind: keyof CommitChanges | undefined
  let left = MAX_FILES
  for await (const text of splitAtNul(output)) {
    if (kind !== undefined) {
      files[kind].push(text)
      kind = undefined
      if (--left === 0) break
    } else if (/^[0-9a-f]{40,64}$/.test(text)) {
      files = { added: [], removed: [], modified: [] }
      changes.set(text, files)
    } else kind = kindOf(text.trim())
  }
  return changes
}

function kindOf(letter: string): keyof CommitChanges | undefined {
  if (letter === '') return undefined
  if (letter === 'A') return 'added'
  return letter === 'D' ? 'removed' : 'modified'
}
