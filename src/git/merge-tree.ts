import { GitError, type Git } from './run.ts'

/** The tree that comes of merging two commits; none when they contradict each other. Nothing is checked out. */
export async function mergeTree(
  git: Git,
  folder: string,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
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
