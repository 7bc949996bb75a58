import { existsSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '../../platform/context.ts'
import { createRepositoryOnce } from '../../platform/git/create.ts'
import { repositoriesFolder, repositoryFolder, wikiFolder } from '../../platform/git/layout.ts'
import { assertNotStray } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { assertMarked } from '../../platform/storage/mark.ts'

/** For who may write: made when it is first asked for. */
export async function wikiToWrite(ctx: Context, repo: Repository): Promise<string> {
  const folder = wikiFolderOf(ctx, repo)
  if (existsSync(folder)) return folder
  // What a crash leaves of the draft belongs to no repository, and goes as everything does that
  // belongs to none.
  const draft = repositoryFolder(ctx.config, randomUUID())
  await createRepositoryOnce(folder, draft, optionsOf(ctx, repo))
  await assertNotStray(ctx, repo, folder)
  return folder
}

/** For who may read: where there is no wiki yet, all of them share an empty one. */
export async function wikiToRead(ctx: Context, repo: Repository): Promise<string> {
  const folder = wikiFolderOf(ctx, repo)
  if (existsSync(folder)) return folder
  const empty = join(ctx.config.data, 'git', `empty-${repo.objectFormat}.git`)
  const draft = `${empty}.${randomUUID()}`
  if (!existsSync(empty)) await createRepositoryOnce(empty, draft, optionsOf(ctx, repo))
  return empty
}

/** Where its disk is not mounted, a wiki is not missing. */
function wikiFolderOf({ config }: Context, repo: Repository): string {
  assertMarked(repositoriesFolder(config))
  return wikiFolder(config, repo.folder)
}

function optionsOf({ config }: Context, { objectFormat }: Repository) {
  return { branch: config.repositories.default_branch, objectFormat }
}
