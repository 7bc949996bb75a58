import { join } from 'node:path'
import type { Config } from '../config/config.ts'

/**
 * Where the repository with this random name lies: no user's text is ever part of a path, and a
 * rename moves nothing.
 */
export function repositoryFolder(config: Config, folder: string): string {
  if (!/^[0-9a-f-]{36}$/.test(folder))
    throw new Error(`${folder} is no name of a repository's folder`)
  return join(repositoriesFolder(config), folder.slice(0, 2), `${folder}.git`)
}

/** Beside it, once there is something in the wiki. */
export function wikiFolder(config: Config, folder: string): string {
  return repositoryFolder(config, folder).replace(/\.git$/, '.wiki.git')
}

/** What of a repository lies on disk, by the name that stands in its row. */
export function foldersOf(config: Config, folder: string): readonly string[] {
  return [repositoryFolder(config, folder), wikiFolder(config, folder)]
}

/** Where a repository is moved before anything in it is removed. */
export function removedFolder(path: string): string {
  return path.replace(/\.git$/, '.removed.git')
}

/** The name in the row for what lies there. */
export function folderNameOf(entry: string): string {
  return entry.replace(/(?:\.wiki)?(?:\.removed)?\.git$/, '')
}

/**
 * Whether this is the name of a folder in which repositories lie: beside them there are a mark and
 * the trash.
 */
export function isShard(name: string): boolean {
  return /^[0-9a-f]{2}$/.test(name)
}

/** Where an administrator puts repositories of other servers, as `owner/name.git`. */
export function adoptionFolder(config: Config): string {
  return join(config.data, 'adopt')
}

export function repositoriesFolder(config: Config): string {
  return join(config.data, 'repositories')
}
