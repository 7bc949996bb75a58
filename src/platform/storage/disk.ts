import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder } from '../make-folder.ts'
import { hasCode } from '../errors.ts'
import {
  assertKey,
  FileMissing,
  isInTrash,
  type ByteRange,
  type FileStorage,
  type ListedFile,
  type StoredFile,
} from './file-storage.ts'
import { closeSynced, openFile, sync } from './descriptors.ts'
import { FileReader } from './file-reader.ts'
import { FileWriter } from './file-writer.ts'
import { KeptFolders } from './kept-folders.ts'
import { MARK_KEY, StorageAway } from './mark.ts'
import { Measure } from './measure.ts'

/** What is being written has this in its name, which no key has. */
const UNFINISHED = '.part.'

/** One file for each key below a folder. */
export class DiskStorage implements FileStorage {
  readonly #root: string
  readonly #folders = new KeptFolders()

  /** Whether nothing is written before the folder is marked as ours. */
  readonly #isGuarded: boolean

  constructor(root: string, { isGuarded = false } = {}) {
    this.#root = root
    this.#isGuarded = isGuarded
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const path = this.#pathOf(key)
    const unfinished = `${path}${UNFINISHED}${randomUUID()}`
    return this.#write(unfinished, content, async (file) => {
      await sync(file)
      await rename(unfinished, path)
      await this.#folders.sync(dirname(path))
    })
  }

  async putNew(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const path = this.#pathOf(key)
    // Together, so that they wait for the disk once: the bytes, and the name, which is the
    // folder's.
    return this.#write(path, content, (file) =>
      Promise.all([sync(file), this.#folders.sync(dirname(path))]),
    )
  }

  async #write(
    path: string,
    content: AsyncIterable<Uint8Array>,
    secure: (file: number) => Promise<unknown>,
  ): Promise<StoredFile> {
    const file = await this.#create(path)
    try {
      const stored = await write(file, content)
      await secure(file)
      return stored
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      closeSynced(file)
    }
  }

  /** Folders are made once and then there. */
  async #create(path: string): Promise<number> {
    try {
      return await openFile(path, 'wx')
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
      this.#assertThere(path)
      await this.#folders.make(dirname(path))
      return openFile(path, 'wx')
    }
  }

  /**
   * Where a disk is to be mounted and is not, none of the folders is there: asking at this point
   * is enough.
   */
  #assertThere(path: string): void {
    const mark = join(this.#root, MARK_KEY)
    if (this.#isGuarded && !path.startsWith(mark) && !existsSync(mark))
      throw new StorageAway(this.#root)
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const path = this.#pathOf(key)
    const file = await openFile(path, 'r').catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error
      this.#assertThere(path)
      throw new FileMissing(key, { cause: error })
    })
    return new FileReader(file, range)
  }

  async linkTo(): Promise<undefined> {
    return undefined
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
  }

  async move(from: string, to: string): Promise<void> {
    const target = this.#pathOf(to)
    await makeFolder(dirname(target))
    await rename(this.#pathOf(from), target).catch((error: unknown) => {
      throw hasCode(error, 'ENOENT') ? new FileMissing(from, { cause: error }) : error
    })
  }

  async *list(prefix?: string): AsyncGenerator<ListedFile> {
    const folder = prefix === undefined ? this.#root : dirname(this.#pathOf(`${prefix}/x`))
    for await (const file of this.#below(folder)) {
      if (file.key.includes(UNFINISHED) || (prefix === undefined && isInTrash(file.key))) continue
      yield file
    }
  }

  async tidy(before: number): Promise<void> {
    for await (const { key, modifiedAt } of this.#below(this.#root)) {
      if (key.includes(UNFINISHED) && modifiedAt < before) {
        await rm(join(this.#root, key), { force: true })
      }
    }
  }

  async close(): Promise<void> {
    await this.#folders.close()
  }

  async *#below(folder: string): AsyncGenerator<ListedFile> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) yield* this.#below(path)
      else yield* this.#listed(path)
    }
  }

  /** What is removed meanwhile is not listed. */
  async *#listed(path: string): AsyncGenerator<ListedFile> {
    const found = await stat(path).catch(() => undefined)
    if (!found) return
    const key = relative(this.#root, path).split(sep).join('/')
    yield { key, size: found.size, modifiedAt: Math.floor(found.mtimeMs / 1000) }
  }

  #pathOf(key: string): string {
    assertKey(key)
    return join(this.#root, key)
  }
}

async function write(file: number, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const measure = new Measure()
  const writer = new FileWriter(file)
  try {
    for await (const chunk of content) {
      measure.add(chunk)
      await writer.add(chunk)
    }
    await writer.end()
  } finally {
    // Where the bytes break off, the last of them may still be on their way to the file, which is
    // closed next.
    await writer.end().catch(() => undefined)
  }
  return measure.result()
}
