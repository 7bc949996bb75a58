import type { Context } from '../../platform/context.ts'
import { listRefs } from '../../platform/git/list-refs.ts'
import { updateRefs } from '../../platform/git/update-refs.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { headRef } from './pull.ts'

/** Takes the name away under which the head of a deleted pull request was found. */
export async function forgetHead(ctx: Context, repo: Repository, number: number): Promise<void> {
  const folder = folderOf(ctx, repo)
  const [found] = await listRefs(ctx.git, folder, headRef(number))
  if (!found) return
  await updateRefs(ctx.git, folder, [{ ref: found.name, before: found.id, after: undefined }])
}
