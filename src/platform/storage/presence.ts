import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { FileStorage } from './file-storage.ts'
import { isMarked, readStoredMark } from './mark.ts'
import { filesFolder } from './open-storage.ts'

/** A bucket is asked again after so long. */
const KEPT_MS = 5_000
const PATIENCE_MS = 3_000

/**
 * Whether what we write to is there: a disk that is not mounted leaves an empty folder, which
 * takes anything.
 */
export class StoragePresence {
  readonly #repositories: string
  readonly #folders: readonly string[]
  readonly #files: FileStorage
  readonly #keptMs: number
  #askedAt = -Infinity
  #asked = Promise.resolve(true)

  constructor(config: Config, files: FileStorage) {
    const { data, storage } = config
    this.#repositories = join(data, 'repositories')
    const ofFiles = storage.kind === 's3' ? [] : [filesFolder(config)]
    this.#folders = [data, this.#repositories, ...ofFiles]
    this.#files = files
    this.#keptMs = storage.kind === 's3' ? KEPT_MS : 0
  }

  /** Those that are away: `repositories`, `files`. */
  async findAway(): Promise<readonly string[]> {
    const files = await this.#areFilesThere()
    return [...(isMarked(this.#repositories) ? [] : ['repositories']), ...(files ? [] : ['files'])]
  }

  /** Whether a file system of ours takes nothing more: a disk with an error is made so. */
  async isReadOnly(): Promise<boolean> {
    const tried = await Promise.all(
      this.#folders.map((folder) => access(folder, constants.W_OK).then(() => '', codeOf)),
    )
    return tried.includes('EROFS')
  }

  #areFilesThere(): Promise<boolean> {
    if (performance.now() - this.#askedAt < this.#keptMs) return this.#asked
    this.#askedAt = performance.now()
    const { promise: late, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), PATIENCE_MS)
    const found = readStoredMark(this.#files).then(
      (mark) => mark !== undefined,
      () => false,
    )
    this.#asked = Promise.race([found, late]).finally(() => clearTimeout(timer))
    return this.#asked
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}
