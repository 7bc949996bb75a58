import { closeSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/** Held by a process that lives: whatever ends it ends this too. */
export interface FileLock {
  /** Everything is closed as it should be: the file goes, too. */
  readonly release: () => void
  /** The file stays, as after a crash. */
  readonly leave: () => void
}

/**
 * A lock of the operating system, by way of SQLite, which knows them on all of these. Undefined
 * while another process has it. The file stays where a process dies with the lock, so that the next
 * one knows.
 */
export function takeFileLock(path: string): FileLock | undefined {
  // Made by SQLite, others could read it.
  closeSync(openSync(path, 'a', 0o600))
  const handle = new DatabaseSync(path)
  try {
    handle.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (error) {
    handle.close()
    if (isBusy(error)) return undefined
    throw error
  }
  const leave = () => handle.close()
  const release = () => {
    // Before it is let go, so that it is not somebody else's by then.
    rmSync(path, { force: true })
    leave()
  }
  return { release, leave }
}

const PATIENCE_MS = 3_000
const LOOK_EVERY_MS = 100

/** Waits a moment for a process that is just ending. */
export async function awaitFileLock(path: string): Promise<FileLock | undefined> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const lock = takeFileLock(path)
    if (lock || waited >= PATIENCE_MS) return lock
    await pause(LOOK_EVERY_MS)
  }
}

function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number }
  const SQLITE_BUSY = 5
  return (errcode & 0xff) === SQLITE_BUSY
}
