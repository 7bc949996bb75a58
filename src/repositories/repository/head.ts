import type { Context } from '../../platform/context.ts'
import { setHead } from '../../platform/git/refs.ts'
import { folderOf } from './folder.ts'
import { findRepositoryById } from './queries.ts'
import type { Repository } from './repository.ts'

/**
 * Until nobody else has changed the row meanwhile: whoever is the last to look leaves HEAD right.
 */
export async function followRow(ctx: Context, repo: Repository): Promise<void> {
  let head: string | undefined
  let now = await findRepositoryById(ctx.db, repo.id)
  while (now && now.defaultBranch !== head) {
    head = now.defaultBranch
    await setHead(ctx.git, folderOf(ctx, repo), head)
    now = await findRepositoryById(ctx.db, repo.id)
  }
}
