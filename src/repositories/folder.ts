import type { Context } from '../context.ts'
import { repositoryFolder } from '../git/layout.ts'
import type { Repository } from './repository.ts'

/** The bare directory of a repository. */
export function folderOf(
  { config }: Pick<Context, 'config'>,
  repo: Pick<Repository, 'folder'>,
): string {
  return repositoryFolder(config, repo.folder)
}
