import type { Context } from '../../platform/context.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { applyPatch } from '../../platform/git/apply-patch.ts'
import type { WrittenFile } from '../../platform/git/commit-files.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { assertPathAllowed } from './path.ts'

/** More is not looked through for a request. */
const MAX_FILES = 1000

/** The files that a patch changes, as they are then. */
export async function patchFiles(
  ctx: Context,
  repo: Repository,
  treeId: string | undefined,
  patch: string,
): Promise<readonly WrittenFile[]> {
  const outcome = await applyPatch(ctx.git, folderOf(ctx, repo), treeId, patch, {
    maxFiles: MAX_FILES,
    maxFileBytes: ctx.config.api.default_max_blob_size,
    maxBytes: ctx.config.api.default_max_response_size,
  })
  if (outcome.kind !== 'applied') {
    const isTooLarge = outcome.kind === 'too-large'
    throw isTooLarge ? new AppError('too_large', outcome.reason) : invalid(outcome.reason)
  }
  for (const { path } of outcome.files) assertPathAllowed(path)
  return outcome.files
}
