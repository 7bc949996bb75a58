import { open, readdir, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

const MAX_FOLDERS = 100
/** A file system does not tell two changes apart that follow each other faster than its clock ticks. */
const TICK_MS = 2000

interface Stamp {
  readonly text: string
  readonly at: number
}

/**
 * Another text after each change of a ref. Git replaces the files that hold refs and never writes into them, so their
 * folders tell. Undefined where a change could go unseen, or where looking would take longer than asking git.
 */
export async function stampRefs(folder: string): Promise<string | undefined> {
  const files = ['HEAD', 'packed-refs'].map((name) => stampFile(join(folder, name)))
  const [folders, ...rest] = await Promise.all([stampFolders([join(folder, 'refs')]), ...files])
  if (!folders) return undefined
  const all = [...rest, ...folders]
  const newest = Math.max(...all.map(({ at }) => at))
  return Date.now() - newest > TICK_MS ? all.map(({ text }) => text).join(' ') : undefined
}

/** These folders and all below them. */
async function stampFolders(paths: readonly string[]): Promise<readonly Stamp[] | undefined> {
  if (paths.length > MAX_FOLDERS) return undefined
  const level = await Promise.all(paths.map(stampFolder))
  const inner = level.flatMap(({ folders }) => folders)
  if (inner.length === 0) return level
  const below = await stampFolders(inner)
  return below && [...level, ...below]
}

/** Read first: a file system of the network then asks again when it was written. */
async function stampFolder(path: string): Promise<Stamp & { readonly folders: string[] }> {
  const entries = await readdir(path, { withFileTypes: true })
  const { ino, mtimeNs } = await stat(path, { bigint: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name))
  return { text: `${ino} ${mtimeNs}`, at: Number(mtimeNs / 1_000_000n), folders }
}

async function stampFile(path: string): Promise<Stamp> {
  let file: FileHandle
  try {
    file = await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: 'none', at: 0 }
    throw error
  }
  try {
    const { ino, size, mtimeNs } = await file.stat({ bigint: true })
    return { text: `${ino} ${size} ${mtimeNs}`, at: Number(mtimeNs / 1_000_000n) }
  } finally {
    await file.close()
  }
}
