import { join } from 'node:path'
import { hasCode } from '../errors.ts'
import { lookBelow, type Look } from './look.ts'

const MAX_FOLDERS = 100
/**
 * A file system does not tell two changes apart that follow each other faster than its clock ticks.
 */
const TICK_MS = 2000

interface Stamp {
  readonly text: string
  readonly at: number
}

/**
 * Another text after each change of a ref in the folder `below`. Git replaces the files that hold
 * refs and never writes into them, so their folders tell. Undefined where a change could go unseen,
 * or where looking would take longer than asking git.
 */
export async function stampRefs(folder: string, below = 'refs'): Promise<string | undefined> {
  const look = lookBelow(folder)
  const files = ['HEAD', 'packed-refs'].map((name) => stampFile(look, join(folder, name)))
  const folders = stampFolders(look, [join(folder, below)])
  const [stamped, ...rest] = await Promise.all([folders, ...files])
  if (!stamped) return undefined
  const all = [...rest, ...stamped]
  const newest = Math.max(...all.map(({ at }) => at))
  return Date.now() - newest > TICK_MS ? all.map(({ text }) => text).join(' ') : undefined
}

/** These folders and all below them. */
async function stampFolders(
  look: Look,
  paths: readonly string[],
): Promise<readonly Stamp[] | undefined> {
  if (paths.length > MAX_FOLDERS) return undefined
  const level = await Promise.all(paths.map((path) => stampFolder(look, path)))
  const inner = level.flatMap(({ folders }) => folders)
  if (inner.length === 0) return level
  const below = await stampFolders(look, inner)
  return below && [...level, ...below]
}

/** Read first: a file system of the network then asks again when it was written. */
async function stampFolder(
  look: Look,
  path: string,
): Promise<Stamp & { readonly folders: string[] }> {
  const entries = await look.entries(path)
  const { ino, mtimeNs } = await look.atFolder(path)
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name))
  return { text: `${ino} ${mtimeNs}`, at: Number(mtimeNs / 1_000_000n), folders }
}

async function stampFile(look: Look, path: string): Promise<Stamp> {
  try {
    const { ino, size, mtimeNs } = await look.atFile(path)
    return { text: `${ino} ${size} ${mtimeNs}`, at: Number(mtimeNs / 1_000_000n) }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { text: 'none', at: 0 }
    throw error
  }
}
