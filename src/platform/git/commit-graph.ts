import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runGroup } from './group.ts'
import type { Git } from './run.ts'

const TIME_LIMIT_MS = 30 * 60_000

/**
 * Git's own index of a history: what each commit comes after, and which paths it may have changed.
 */
function graphOf(folder: string): string {
  return join(folder, 'objects', 'info', 'commit-graph')
}

/** When it was last written, in whole seconds since 1970. */
export async function findGraphTime(folder: string): Promise<number | undefined> {
  return timeOf(graphOf(folder))
}

/**
 * With it, git counts commits and finds those of a path without reading each commit and its trees.
 */
export async function writeCommitGraph(
  git: Git,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await removeLeftGraphLock(folder)
  await runGroup(git, folder, ['commit-graph', 'write', '--reachable', '--changed-paths'], {
    timeLimitMs: TIME_LIMIT_MS,
    signal,
  })
}

/** Git that was killed leaves its lock, and would refuse for ever. */
export async function removeLeftGraphLock(folder: string): Promise<void> {
  const lock = `${graphOf(folder)}.lock`
  const since = await timeOf(lock)
  if (since !== undefined && Date.now() / 1000 - since > TIME_LIMIT_MS / 1000)
    await rm(lock, { force: true })
}

async function timeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && Math.floor(found.mtimeMs / 1000)
}
