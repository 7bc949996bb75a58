import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { copyTree, type TreeOptions } from '../storage/copy-tree.ts'

const MAX_ATTEMPTS = 20

/** Of what is not an object; whatever else its name is, it may be that of a branch. */
export const isNoLock = (name: string) => !name.endsWith('.lock')

/**
 * An object, or many: not what is still being written, nor the mark of a pack that is being
 * received.
 */
const isWhole = (name: string) => !/\.(?:lock|keep)$|^tmp_|^incoming-/.test(name)

/**
 * Copies a repository that is pushed to meanwhile, so that all its refs lead to objects: the refs
 * come first, and objects are only added. What moves from one place to another is looked for in
 * that order too: loose refs, then packed ones; loose objects, then packs.
 */
export async function copyLiveRepository(from: string, to: string): Promise<void> {
  await makeFolder(to)
  await copyTree(join(from, 'refs'), join(to, 'refs'), { isWanted: isNoLock })
  await copyTree(from, to, {
    isWanted: (name) => isNoLock(name) && name !== 'refs' && name !== 'objects',
  })
  await copyObjects(join(from, 'objects'), join(to, 'objects'))
}

/**
 * All that are there when it begins, also where git packs them meanwhile: loose ones, then packs.
 */
export async function copyObjects(
  from: string,
  to: string,
  how: Pick<TreeOptions, 'copy'> = {},
): Promise<void> {
  await copyTree(from, to, { ...how, isWanted: (name) => isWhole(name) && name !== 'pack' })
  const [packs, copies] = [join(from, 'pack'), join(to, 'pack')]
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const copied = await copyTree(packs, copies, { ...how, isWanted: isWhole })
    if (copied.isWhole) return
    // A pack that is gone has been replaced by another, and what was copied of it is of no use.
    await rm(copies, { recursive: true })
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
