import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'backup-unfinished'

/** A folder in which a backup has begun, and from which no server starts until it is whole. */
export function beginUnfinished(folder: string): void {
  const file = openSync(join(folder, NAME), 'wx', 0o600)
  fsyncSync(file)
  closeSync(file)
}

export function endUnfinished(folder: string): void {
  rmSync(join(folder, NAME))
  flush(folder)
}

export function isUnfinished(folder: string): boolean {
  return existsSync(join(folder, NAME))
}

function flush(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
