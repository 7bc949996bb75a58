import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changingRefs } from './changing-refs.ts'
import type { Git } from './run.ts'
import { GitError } from './run.ts'

export async function branchExists(git: Git, folder: string, branch: string): Promise<boolean> {
  try {
    await git.run(folder, [
      'show-ref',
      '--verify',
      '--quiet',
      '--end-of-options',
      `refs/heads/${branch}`,
    ])
    return true
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false
    throw error
  }
}

/** Makes `branch` the one that clones check out. */
export async function setHead(git: Git, folder: string, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`
  const head = await readFile(join(folder, 'HEAD'), 'utf8')
  if (head.trim() === `ref: ${ref}`) return
  await changingRefs(folder, () => git.run(folder, ['symbolic-ref', 'HEAD', ref]))
}
