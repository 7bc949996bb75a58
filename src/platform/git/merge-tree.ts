import { keepHistory } from './kept-history.ts'
import { mergeIgnoringSpace } from './merge-loosely.ts'
import { GitError, type Git } from './run.ts'

export interface Merged {
  readonly ours: string
  readonly theirs: string
  /** Whether what contradicts only by the amount of white space does not. */
  readonly ignoresSpace?: boolean
}

/**
 * The tree that comes of merging two commits; none when they contradict each other. Nothing is
 * checked out.
 */
export async function mergeTree(
  git: Git,
  folder: string,
  { ours, theirs, ignoresSpace = false }: Merged,
): Promise<string | undefined> {
  const treeId = await mergeExactly(git, folder, ours, theirs)
  // White space that contradicts nothing is a change like any other.
  if (treeId !== undefined || !ignoresSpace) return treeId
  return mergeIgnoringSpace(git, folder, { ours, theirs })
}

async function mergeExactly(
  git: Git,
  folder: string,
  ours: string,
  theirs: string,
): Promise<string | undefined> {
  const parameters = ['merge-tree', '--write-tree', '--no-messages', '--name-only', ours, theirs]
  try {
    const [treeId] = (await git.text(folder, parameters)).split('\n')
    return treeId
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error.exitCode === 1 || /unrelated histories/.test(error.message)) return undefined
    throw error
  }
}

/** The files in which two commits contradict each other; none where git does not say. */
export async function listConflicts(
  git: Git,
  folder: string,
  { ours, theirs }: Pick<Merged, 'ours' | 'theirs'>,
): Promise<readonly string[]> {
  return keepHistory(git, [folder, 'conflicts', ours, theirs], async () => {
    const form = ['--write-tree', '--no-messages', '--name-only', '-z']
    const child = await git.start(folder, ['merge-tree', ...form, ours, theirs])
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    const { code } = await child.ended
    const [, ...names] = Buffer.concat(chunks).toString('utf8').split('\0')
    const value = code === 1 ? names.filter((name) => name !== '') : []
    return { value, weight: value.length > 0 ? value.join('').length : Infinity }
  })
}
