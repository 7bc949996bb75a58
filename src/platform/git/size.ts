import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './run.ts'

/** More makes fetches slow. */
const MAX_LOOSE = 5000
const MAX_PACKS = 50
/** A history of so many objects may be thousands of commits long. */
const MANY = 20_000

export interface ObjectCount {
  /** What all objects take on disk, packed and loose. */
  readonly bytes: number
  /** Whether so much lies about that packing is worth it. */
  readonly isScattered: boolean
  /** Whether its history is worth an index. */
  readonly isLarge: boolean
}

export async function countObjects(git: Git, folder: string): Promise<ObjectCount> {
  const text = await git.text(folder, ['count-objects', '-v'])
  const counts = new Map(
    [...text.matchAll(/^([\w-]+): (\d+)$/gm)].map(([, key, n]) => [key, Number(n)]),
  )
  const valueOf = (key: string) => counts.get(key) ?? 0
  return {
    bytes: (valueOf('size') + valueOf('size-pack')) * 1024,
    isScattered: valueOf('count') > MAX_LOOSE || valueOf('packs') > MAX_PACKS,
    isLarge: valueOf('count') + valueOf('in-pack') >= MANY,
  }
}

/**
 * The bytes of a repository that was just made, without asking git: few files, and nobody else
 * writes there.
 */
export async function measureObjects(folder: string): Promise<number> {
  return measureObjectsIn(join(folder, 'objects'))
}

/** Of a folder of objects, also of one in which a push waits. */
export async function measureObjectsIn(folder: string): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map((file) => sizeOf(join(file.parentPath, file.name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** As git counts: of packs and their indexes the bytes, of loose objects the blocks. */
async function sizeOf(path: string): Promise<number> {
  const { size, blocks } = await stat(path)
  if (/\.(?:pack|idx)$/.test(path)) return size
  return /\/[0-9a-f]{2}\/[0-9a-f]+$/.test(path) ? blocks * 512 : 0
}
