import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/**
 * Read as git writes them down: to start git for each push only to count them would take longer than the record. Single
 * files first, since git packs a ref before it removes its file.
 */
export async function listBranchNames(folder: string): Promise<readonly string[]> {
  const single = await listFiles(join(folder, 'refs', 'heads'))
  const packed = (await unlessGone(readFile(join(folder, 'packed-refs'), 'utf8'))) ?? ''
  const names = packed.matchAll(/^[0-9a-f]+ refs\/heads\/(.+)$/gm).map(([, name = '']) => name)
  return [...new Set([...single, ...names])].sort()
}

/** Their names below `folder`. What is about to change has a lock beside it, and no branch can be called so. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? []
  const names = entries.map(async (entry) => {
    if (!entry.isDirectory()) return entry.name.endsWith('.lock') ? [] : [entry.name]
    return (await listFiles(join(folder, entry.name))).map((name) => `${entry.name}/${name}`)
  })
  return (await Promise.all(names)).flat()
}

/** Git removes folders that no branch needs any more. */
async function unlessGone<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Makes `branch` the one that clones check out. */
export async function setHead(git: Git, folder: string, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`
  const head = await readFile(join(folder, 'HEAD'), 'utf8')
  if (head.trim() !== `ref: ${ref}`) await git.run(folder, ['symbolic-ref', 'HEAD', ref])
}
