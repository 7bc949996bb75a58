import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { hasCode } from '../errors.ts'

/** A copy that takes longer was given up, or forgotten. */
const LONGEST_HOLD_MS = 24 * 3_600_000

/**
 * While the data folder is being copied, nothing is removed from it that the copy of the database may still name.
 * The mark is a file, so that all nodes see it, and whoever copies with other tools can make it.
 */
export function areRemovalsHeld(config: Config): boolean {
  const mark = statSync(markIn(config), { throwIfNoEntry: false })
  return mark !== undefined && Date.now() - mark.mtimeMs < LONGEST_HOLD_MS
}

/** Until the returned function is called. Who holds them already goes on doing so. */
export function holdRemovals(config: Config): () => void {
  try {
    writeFileSync(markIn(config), '', { flag: 'wx', mode: 0o600 })
    return () => rmSync(markIn(config), { force: true })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    return () => undefined
  }
}

function markIn({ data }: Config): string {
  return join(data, 'removals.hold')
}
