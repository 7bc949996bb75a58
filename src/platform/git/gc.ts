import { removeLeftGraphLock } from './commit-graph.ts'
import { runGroup } from './group.ts'
import type { Git } from './run.ts'

export const PACKING_LIMIT_MS = 30 * 60_000

/**
 * Packs everything, within bounds of time and memory. What nothing leads to goes when it is two
 * weeks old.
 */
export async function packRepository(git: Git, folder: string, signal: AbortSignal): Promise<void> {
  await removeLeftGraphLock(folder)
  const bounds = ['pack.threads=1', 'pack.windowMemory=64m', 'pack.deltaCacheSize=64m']
  const settings = bounds.flatMap((setting) => ['-c', setting])
  await runGroup(git, folder, [...settings, 'gc', '--quiet', '--prune=2.weeks.ago'], {
    timeLimitMs: PACKING_LIMIT_MS,
    signal,
  })
}
