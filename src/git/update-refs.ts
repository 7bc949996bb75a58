import type { RefUpdate } from './ref-update.ts'
import { GitError, type Git } from './run.ts'

/**
 * All of the updates or none. False when a reference is no longer as `before` says, or its name stands in the
 * way of another's, as `a` does of `a/b`.
 */
export async function updateRefs(
  git: Git,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  const input = updates.map((update) => `${command(update)}\0`).join('')
  try {
    await git.run(folder, ['update-ref', '--stdin', '-z'], { input })
    return true
  } catch (error) {
    if (error instanceof GitError && /cannot lock ref|cannot process/.test(error.message))
      return false
    throw error
  }
}

function command({ ref, before, after }: RefUpdate): string {
  if (after === undefined) return `delete ${ref}\0${before ?? ''}`
  if (before === undefined) return `create ${ref}\0${after}`
  return `update ${ref}\0${after}\0${before}`
}
