import { readdir, rename } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import type { Config } from '../config/config.ts'
import { hasCode } from '../errors.ts'
import { removeRepositoryFolder } from './create.ts'
import { folderNameOf, foldersOf, repositoriesFolder } from './layout.ts'

/** On the disk of the repositories, so that nothing is copied. */
function trashFolder(config: Config): string {
  return join(repositoriesFolder(config), 'trash')
}

/** Code and wiki of the repository with this random name, from where they can be taken back. */
export async function throwAwayFolders(config: Config, folder: string, day: string): Promise<void> {
  const target = join(trashFolder(config), day)
  await makeFolder(target)
  for (const path of foldersOf(config, folder)) {
    await rename(path, join(target, basename(path))).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error
    })
  }
}

export interface ThrownAwayFolder {
  readonly day: string
  readonly folder: string
}

export async function listThrownAwayFolders(config: Config): Promise<readonly ThrownAwayFolder[]> {
  const found = new Map<string, ThrownAwayFolder>()
  for (const day of await readdir(trashFolder(config)).catch(() => [])) {
    for (const entry of await readdir(join(trashFolder(config), day)).catch(() => [])) {
      const folder = folderNameOf(entry)
      found.set(`${day} ${folder}`, { day, folder })
    }
  }
  return [...found.values()]
}

/** To where they were; false when something else is there by now. */
export async function takeBackFolders(
  config: Config,
  { day, folder }: ThrownAwayFolder,
): Promise<boolean> {
  const pairs = foldersOf(config, folder)
    .map((path) => ({ path, thrown: join(trashFolder(config), day, basename(path)) }))
    .filter(({ thrown }) => existsSync(thrown))
  if (pairs.some(({ path }) => existsSync(path))) return false
  for (const { path, thrown } of pairs) {
    await makeFolder(dirname(path))
    await rename(thrown, path)
  }
  return true
}

/** For good: what was thrown away on that day. */
export async function emptyFolderTrash(config: Config, day: string): Promise<void> {
  await removeRepositoryFolder(join(trashFolder(config), day))
}

export async function listTrashDays(config: Config): Promise<readonly string[]> {
  return readdir(trashFolder(config)).catch(() => [])
}
