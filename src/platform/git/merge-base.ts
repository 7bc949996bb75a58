import { GitError, type Git } from './run.ts'

/** Where two lines of commits parted; nowhere when they have nothing in common. */
export async function findMergeBase(
  git: Git,
  folder: string,
  { base, head }: { readonly base: string; readonly head: string },
  environment: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  try {
    return await git.text(folder, ['merge-base', base, head], { environment })
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined
    throw error
  }
}

export async function isAncestor(
  git: Git,
  folder: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<boolean> {
  try {
    await git.run(folder, ['merge-base', '--is-ancestor', base, head])
    return true
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false
    throw error
  }
}
