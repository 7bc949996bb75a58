import { statfs } from 'node:fs/promises'

const LEAST_SHARE = 0.05

/**
 * What is left of the disks that we write to. The rest is kept for the database, and for taking
 * things back. They are looked at once a second: small uploads arrive more often.
 */
export class DiskRoom {
  readonly #folders: readonly string[]
  readonly #reserve: number
  readonly #now: () => number
  #lookedAt = 0
  #seen = Promise.resolve(false)

  constructor(folders: readonly string[], reserve: number, now: () => number) {
    this.#folders = folders
    this.#reserve = reserve
    this.#now = now
  }

  async isLow(): Promise<boolean> {
    if (this.#reserve === 0) return false
    const now = this.#now()
    if (now !== this.#lookedAt) {
      this.#lookedAt = now
      this.#seen = this.#look()
    }
    return this.#seen
  }

  /** Fails as a write to a full disk does. */
  async assertLeft(): Promise<void> {
    if (await this.isLow()) throw lowOnDisk()
  }

  /** Also when so many bytes are written to that folder. */
  async assertLeftFor(folder: string, bytes: number): Promise<void> {
    if (await this.#isLowAt(folder, bytes)) throw lowOnDisk()
  }

  async #look(): Promise<boolean> {
    const seen = await Promise.all(this.#folders.map((folder) => this.#isLowAt(folder)))
    return seen.includes(true)
  }

  /** A folder that is not there yet is no reason to refuse anything. */
  async #isLowAt(folder: string, wanted = 0): Promise<boolean> {
    const found = await statfs(folder).catch(() => undefined)
    if (!found) return false
    const { bavail, blocks, bsize } = found
    return bavail * bsize - wanted < Math.min(this.#reserve, blocks * bsize * LEAST_SHARE)
  }
}

function lowOnDisk(): Error {
  const error = new Error('what is left of the disk is kept in reserve')
  return Object.assign(error, { code: 'ENOSPC' })
}

const SQLITE_FULL = 13
const SQLITE_IOERR = 10
/** A file system on which something went wrong takes nothing more. */
const SQLITE_READONLY = 8
const POSTGRES_DISK_FULL = '53100'

/** Of a disk of ours: what another server says of its own comes after `remote:`. */
const gitComplaint =
  /^(?!.*remote: ).*(?:No space left on device|Out of diskspace|Disk quota exceeded|Input\/output error|Read-only file system|couldn't (?:write|set) ')/m

/** Whether `error` says that a disk is full, or does not write any more. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number')
    return [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY].includes(errcode & 255)
  if (['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', POSTGRES_DISK_FULL].includes(String(code))) return true
  return error.name === 'GitError' && gitComplaint.test(error.message)
}
