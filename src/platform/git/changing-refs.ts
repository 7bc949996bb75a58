import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import { GitError } from './run.ts'

/** Longer than any git of ours holds a lock on refs. */
const LEFT_AFTER_MS = 600_000
const RETRY_SECONDS = 10

/** Why the system did not let git write. */
const systemFailure =
  /No space left on device|Out of diskspace|Disk quota exceeded|Input\/output error|Read-only file system|Too many open files|Permission denied|Cannot allocate memory/

/**
 * Whether a reference is not as it was thought to be; git says the same of one that it could not
 * write.
 */
export function isOutrun({ message }: GitError): boolean {
  return (
    /not updating|cannot lock ref|cannot process/i.test(message) && !systemFailure.test(message)
  )
}

/**
 * Git that was killed leaves its locks, and would refuse for ever: where such are in the way,
 * `work` is done once more. Others are held by somebody who works there.
 */
export async function changingRefs<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GitError && isLocked(error))) throw error
    if (await removeLeftLocks(folder)) return work()
    throw new AppError('unavailable', 'something else is being changed there', {
      cause: error,
      retryAfter: RETRY_SECONDS,
    })
  }
}

function isLocked({ message }: GitError): boolean {
  return /\.lock': File exists|packed-refs\.new: File exists/.test(message)
}

/** False where there are none. */
export async function removeLeftLocks(folder: string): Promise<boolean> {
  let isFound = false
  for (const lock of await locksOf(folder)) {
    const found = await stat(lock).catch(() => undefined)
    if (!found || Date.now() - found.mtimeMs < LEFT_AFTER_MS) continue
    await rm(lock, { force: true })
    isFound = true
  }
  return isFound
}

/**
 * Of its refs, those that are held by a git that works included; a file that is to replace another
 * is one, too.
 */
export async function locksOf(folder: string): Promise<readonly string[]> {
  const locks = [...(await locksIn(folder)), ...(await locksIn(join(folder, 'refs'), true))]
  return [...locks, join(folder, 'packed-refs.new')]
}

async function locksIn(folder: string, recursive = false): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive }).catch(() => [])
  return names.filter((name) => name.endsWith('.lock')).map((name) => join(folder, name))
}
