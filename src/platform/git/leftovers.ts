import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { locksOf } from './changing-refs.ts'

/**
 * What a git of ours has begun before that moment, in milliseconds since 1970, and could not
 * finish.
 */
export async function findLeftovers(folder: string, before: number): Promise<readonly string[]> {
  const objects = join(folder, 'objects')
  const names = await readdir(objects).catch(() => [])
  const inner = names.filter((name) => /^(?:pack|info|[0-9a-f]{2})$/.test(name))
  const found: string[] = [...(await locksOf(folder)), join(folder, 'gc.pid')]
  const places = [folder, join(folder, 'info'), objects]
  for (const place of [...places, ...inner.map((name) => join(objects, name))]) {
    found.push(...(await unfinishedIn(place)))
  }
  const left = [...new Set(found)]
  const isOld = await Promise.all(left.map((path) => isOlder(path, before)))
  return left.filter((_path, index) => isOld[index])
}

/**
 * Git names so what is not there yet: objects, packs, folders of both, and lists of refs and packs;
 * the locks of its indexes; what keeps a pack that was just received from being packed with others;
 * and why an import has failed.
 */
const unfinished = /^\.?tmp[_-]|^(?:refs|packs)_\w{6}$|\.(?:lock|keep)$|^fast_import_crash_\d+$/

async function unfinishedIn(place: string): Promise<readonly string[]> {
  const names = await readdir(place).catch(() => [])
  return names.filter((name) => unfinished.test(name)).map((name) => join(place, name))
}

/** For somebody who is about to work there. */
export async function removeLeftovers(folder: string, before: number): Promise<void> {
  for (const path of await findLeftovers(folder, before)) {
    await rm(path, { recursive: true, force: true })
  }
}

async function isOlder(path: string, before: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtimeMs < before
}
