import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { removeRepositoryFolder } from '../../platform/git/create.ts'
import { repositoriesFolder, repositoryFolder } from '../../platform/git/layout.ts'
import { assertMarked } from '../../platform/storage/mark.ts'
import { findRepositoryById } from './queries.ts'
import type { Repository } from './repository.ts'

/**
 * The bare directory of a repository. Where their disk is not mounted, none of them is missing: the
 * server cannot tell.
 */
export function folderOf(
  { config }: Pick<Context, 'config'>,
  repo: Pick<Repository, 'folder'>,
): string {
  assertMarked(repositoriesFolder(config))
  return repositoryFolder(config, repo.folder)
}

/**
 * The folders of a repository that was deleted meanwhile may have been removed already: nobody
 * comes back for this one.
 */
export async function assertNotStray(
  { db }: Context,
  { id }: Repository,
  folder: string,
): Promise<void> {
  if (await findRepositoryById(db, id)) return
  await removeRepositoryFolder(folder)
  throw notFound()
}

/** With its repository, whatever git may have put there since. */
export function isRemoved(folder: string): boolean {
  return !existsSync(join(folder, 'HEAD'))
}
