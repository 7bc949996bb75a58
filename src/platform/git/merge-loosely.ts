import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GitError, type Git, type GitOptions } from './run.ts'

/**
 * The tree that comes of merging two commits when lines that differ in the amount of white space
 * alone are the same; none when they contradict each other even so. Not every git has `merge-tree`
 * do so: the older command wants an index and a place for files, and gets both for the time it
 * takes.
 */
export async function mergeIgnoringSpace(
  git: Git,
  folder: string,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
): Promise<string | undefined> {
  const bases = await findMergeBases(git, folder, ours, theirs)
  if (bases.length === 0) return undefined
  // Among what git itself has not finished: copies leave it out, and should we die here it goes
  // with the garbage.
  const place = await mkdtemp(join(folder, 'objects', 'tmp_incoming-merge-'))
  try {
    const files = join(place, 'files')
    await mkdir(files)
    const environment = { GIT_INDEX_FILE: join(place, 'index'), GIT_WORK_TREE: files }
    await git.run(folder, ['read-tree', ours], { environment })
    const merge = ['merge-recursive', '--ignore-space-change', ...bases, '--', ours, theirs]
    if (!(await isAgreed(git, folder, merge, { environment }))) return undefined
    return await git.text(folder, ['write-tree'], { environment })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function findMergeBases(
  git: Git,
  folder: string,
  ours: string,
  theirs: string,
): Promise<readonly string[]> {
  const parameters = ['merge-base', '--all', ours, theirs]
  const found = await orUndefined(git.text(folder, parameters))
  return found?.split('\n') ?? []
}

async function isAgreed(
  git: Git,
  folder: string,
  merge: readonly string[],
  options: GitOptions,
): Promise<boolean> {
  return (await orUndefined(git.run(folder, merge, options))) !== undefined
}

/** Git says no by ending with 1. */
async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined
    throw error
  }
}
