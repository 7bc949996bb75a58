import { changingRefs, isOutrun } from './changing-refs.ts'
import type { RefUpdate } from './ref-update.ts'
import { GitError, type Git } from './run.ts'

/**
 * All of the updates or none. False when a reference is no longer as `before` says, or its name
 * stands in the way of another's, as `a` does of `a/b`.
 */
export async function updateRefs(
  git: Git,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  try {
    await changingRefs(folder, () => run(git, folder, updates))
    return true
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (isOutrun(error)) return false
    if (await areMoved(git, folder, updates)) return true
    throw error
  }
}

/** Brings them back to where they were; false where somebody else has moved them on. */
export async function takeBackRefs(
  git: Git,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  return updateRefs(git, folder, updates.map(reverse))
}

async function run(git: Git, folder: string, updates: readonly RefUpdate[]): Promise<void> {
  const input = updates.map((update) => `${command(update)}\0`).join('')
  await git.run(folder, ['update-ref', '--stdin', '-z'], { input })
}

function command({ ref, before, after }: RefUpdate): string {
  if (after === undefined) return `delete ${ref}\0${before ?? ''}`
  if (before === undefined) return `create ${ref}\0${after}`
  return `update ${ref}\0${after}\0${before}`
}

/**
 * Git that is killed, or fails after its work, has moved all of them, or some: these are brought
 * back.
 */
async function areMoved(git: Git, folder: string, updates: readonly RefUpdate[]): Promise<boolean> {
  const moved = await findMoved(git, folder, updates)
  if (moved.length === updates.length) return true
  if (moved.length > 0) await run(git, folder, moved.map(reverse))
  return false
}

/** Those that are where they were to go. */
export async function findMoved(
  git: Git,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<readonly RefUpdate[]> {
  const now = await readRefs(git, folder, updates)
  return updates.filter(({ ref, after }) => now.get(ref) === after)
}

function reverse({ ref, before, after }: RefUpdate): RefUpdate {
  return { ref, before: after, after: before }
}

async function readRefs(
  git: Git,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<ReadonlyMap<string, string>> {
  const format = '--format=%(refname) %(objectname)'
  const output = await git.text(folder, ['for-each-ref', format, ...updates.map(({ ref }) => ref)])
  return new Map(output.split('\n').map((line) => line.split(' ') as [string, string]))
}
