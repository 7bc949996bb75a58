import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { AppError, hasCode } from '../errors.ts'
import { FileMissing, type FileStorage } from './file-storage.ts'

/**
 * Where a folder names the database that it belongs to; where there is none, the folder's disk may
 * not be mounted.
 */
export const MARK = 'database-id'

/** The same among stored files, on the disk or in a bucket. */
export const MARK_KEY = `marks/${MARK}`

/** What we write to is not there, so that a write would go to what lies in its place. */
export class StorageAway extends AppError {
  /** For the log. */
  readonly place: string

  constructor(place: string, cause?: unknown) {
    super('unavailable', 'the storage is not available', { cause, retryAfter: 10 })
    this.place = place
  }
}

export function isMarked(folder: string): boolean {
  return existsSync(join(folder, MARK))
}

/** Before anything is made in a folder that may be where another disk is to be mounted. */
export function assertMarked(folder: string): void {
  if (!isMarked(folder)) throw new StorageAway(folder)
}

export async function readMark(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, MARK), 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** Whole under its name, or as it was before. */
export async function writeMark(folder: string, text: string): Promise<void> {
  const path = join(folder, MARK)
  // Several processes may start at once.
  const unfinished = `${path}.part-${randomUUID()}`
  await makeFolder(folder, { mode: 0o700 })
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}

export async function readStoredMark(files: FileStorage): Promise<string | undefined> {
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of await files.open(MARK_KEY)) chunks.push(chunk as Uint8Array)
    return Buffer.concat(chunks).toString('utf8').trim()
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
}

export async function writeStoredMark(files: FileStorage, text: string): Promise<void> {
  await files.put(MARK_KEY, toBytes(`${text}\n`))
}

async function* toBytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
