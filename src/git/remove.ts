import type { Config } from '../config/config.ts'
import { removeRepositoryFolder } from './create.ts'
import { foldersOf } from './layout.ts'

/** Code and wiki of the repository with this random name; what is gone already is fine. */
export async function removeFolders(config: Config, folder: string): Promise<void> {
  for (const path of foldersOf(config, folder)) await removeRepositoryFolder(path)
}
