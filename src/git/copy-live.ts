import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { copyTree } from '../storage/copy-tree.ts'

const MAX_ATTEMPTS = 20

const isFinished = (name: string) => !/\.lock$|^tmp_|^incoming-/.test(name)

/**
 * Copies a repository that is pushed to meanwhile, so that all its refs lead to objects: the refs come first, and objects
 * are only added. What moves from one place to another is looked for in that order too: loose refs, then packed ones;
 * loose objects, then packs.
 */
export async function copyLiveRepository(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await copyTree(join(from, 'refs'), join(to, 'refs'), isFinished)
  await copyTree(from, to, (name) => isFinished(name) && name !== 'refs' && name !== 'objects')
  await copyTree(
    join(from, 'objects'),
    join(to, 'objects'),
    (name) => isFinished(name) && name !== 'pack',
  )
  await copyPacks(join(from, 'objects', 'pack'), join(to, 'objects', 'pack'))
}

/** A pack that is gone has been replaced by another. */
async function copyPacks(from: string, to: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if ((await copyTree(from, to, isFinished)).isWhole) return
  }
  throw new Error(`${from} changes too often to be copied`)
}

/** Whether refs have moved since this time, in milliseconds. */
export async function hasMovedSince(folder: string, time: number): Promise<boolean> {
  const below = await readdir(join(folder, 'refs'), { recursive: true })
  const paths = ['packed-refs', 'refs', ...below.map((name) => join('refs', name))]
  for (const path of paths) {
    const found = await stat(join(folder, path)).catch(() => undefined)
    if (found && found.mtimeMs >= time) return true
  }
  return false
}
