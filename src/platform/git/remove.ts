import { rename } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import { removeRepositoryFolder } from './create.ts'
import { foldersOf, removedFolder } from './layout.ts'

/** Code and wiki of the repository with this random name; what is gone already is fine. */
export async function removeFolders(config: Config, folder: string): Promise<void> {
  for (const path of foldersOf(config, folder)) await removeAsWhole(path)
}

/**
 * Whoever reads there meanwhile finds all of it or nothing: half of its refs would look like all of
 * them. What cannot be moved, on a full disk for one, goes where it is.
 */
async function removeAsWhole(path: string): Promise<void> {
  const removed = removedFolder(path)
  await removeRepositoryFolder(removed)
  await rename(path, removed).catch(() => removeRepositoryFolder(path))
  await removeRepositoryFolder(removed)
}
