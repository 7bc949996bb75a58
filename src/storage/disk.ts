import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import {
  assertKey,
  FileMissing,
  type ByteRange,
  type FileStorage,
  type ListedFile,
  type StoredFile,
} from './file-storage.ts'
import { Measure } from './measure.ts'

/** What is being written has this in its name, which no key has. */
const UNFINISHED = '.part.'
const CHUNK_BYTES = 256 * 1024

/** One file for each key below a folder. */
export class DiskStorage implements FileStorage {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const path = this.#pathOf(key)
    const unfinished = `${path}${UNFINISHED}${randomUUID()}`
    const measure = new Measure()
    try {
      const handle = await create(unfinished)
      try {
        await pipeline(measure.of(content), writerTo(handle))
        await rename(unfinished, path)
        // Together, so that they wait for the disk once: the bytes, and the name, which is the folder's.
        await Promise.all([handle.sync(), syncFolder(dirname(path))])
      } finally {
        await handle.close()
      }
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    return measure.result()
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const path = this.#pathOf(key)
    const handle = await open(path).catch((error: unknown) => {
      throw isMissing(error) ? new FileMissing(key, { cause: error }) : error
    })
    const part = range ? { start: range.from, end: range.to } : {}
    return createReadStream(path, { fd: handle, highWaterMark: CHUNK_BYTES, ...part })
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
  }

  async *list(prefix: string): AsyncGenerator<ListedFile> {
    for await (const file of this.#below(dirname(this.#pathOf(`${prefix}/x`)))) {
      if (!file.key.includes(UNFINISHED)) yield file
    }
  }

  async tidy(before: number): Promise<void> {
    for await (const { key, modifiedAt } of this.#below(this.#root)) {
      if (key.includes(UNFINISHED) && modifiedAt < before) {
        await rm(join(this.#root, key), { force: true })
      }
    }
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
    yield { key, modifiedAt: Math.floor(found.mtimeMs / 1000) }
  }

  #pathOf(key: string): string {
    assertKey(key)
    return join(this.#root, key)
  }
}

/** Writes while the next bytes are on their way, and together what has come meanwhile. */
function writerTo(handle: FileHandle): Writable {
  const write = callbackify((bytes: Uint8Array) => handle.writeFile(bytes))
  const writeMany = callbackify(async (chunks: readonly Uint8Array[]) => {
    const { bytesWritten } = await handle.writev(chunks)
    // A disk that is nearly full takes a part; what is left tells that it is.
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    if (bytesWritten < length) await handle.writeFile(Buffer.concat(chunks).subarray(bytesWritten))
  })
  return new Writable({
    highWaterMark: CHUNK_BYTES,
    write: (chunk: Uint8Array, _encoding, done) => write(chunk, done),
    writev: (chunks, done) =>
      writeMany(
        chunks.map(({ chunk }) => chunk as Uint8Array),
        done,
      ),
  })
}

/** Folders are made once and then there. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx')
  } catch (error) {
    if (!isMissing(error)) throw error
    await mkdir(dirname(path), { recursive: true })
    return open(path, 'wx')
  }
}

/** A name is on the disk only when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
