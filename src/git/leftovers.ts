import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { locksOf } from './changing-refs.ts'

/** What a git of ours has begun before that moment, in milliseconds since 1970, and could not finish. */
export async function findLeftovers(folder: string, before: number): Promise<readonly string[]> {
  const objects = join(folder, 'objects')
  const names = await readdir(objects).catch(() => [])
  const inner = names.filter((name) => /^(?:pack|info|[0-9a-f]{2})$/.test(name))
  const left: string[] = [...(await locksOf(folder)), join(folder, 'gc.pid')]
  for (const place of [objects, ...inner.map((name) => join(objects, name))]) {
    left.push(...(await unfinishedIn(place)))
  }
  const isOld = await Promise.all(left.map((path) => isOlder(path, before)))
  return left.filter((_path, index) => isOld[index])
}

/** Git names so what is not there yet: objects, packs, and folders of both; and the locks of its indexes. */
async function unfinishedIn(place: string): Promise<readonly string[]> {
  const names = await readdir(place).catch(() => [])
  const isUnfinished = (name: string) => /^\.?tmp[_-]|\.lock$/.test(name)
  return names.filter(isUnfinished).map((name) => join(place, name))
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
