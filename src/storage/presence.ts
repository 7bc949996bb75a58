import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { FileStorage } from './file-storage.ts'
import { isMarked, readStoredMark } from './mark.ts'

/** A bucket is asked again after so long. */
const KEPT_MS = 5_000
const PATIENCE_MS = 3_000

/**
 * Whether what we write to is there: a disk that is not mounted leaves an empty folder, which
 * takes anything.
 */
export class StoragePresence {
  readonly #repositories: string
  readonly #files: FileStorage
  readonly #keptMs: number
  #askedAt = -Infinity
  #asked = Promise.resolve(true)

  constructor({ data, storage }: Config, files: FileStorage) {
    this.#repositories = join(data, 'repositories')
    this.#files = files
    this.#keptMs = storage.kind === 's3' ? KEPT_MS : 0
  }

  /** Those that are away: `repositories`, `files`. */
  async findAway(): Promise<readonly string[]> {
    const files = await this.#areFilesThere()
    return [...(isMarked(this.#repositories) ? [] : ['repositories']), ...(files ? [] : ['files'])]
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
