import { loadPatchIn } from '../commits/patch.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { readCommit } from '../../platform/git/history.ts'
import { isAncestor } from '../../platform/git/merge-base.ts'
import type { Commit } from '../../platform/git/parse.ts'
import type { Patch } from '../../platform/git/patch.ts'
import { isFullId } from '../../platform/git/revisions.ts'
import type { Whitespace } from '../../platform/git/whitespace.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { readingWiki } from './pages.ts'

export interface Revision {
  readonly commit: Commit
  readonly patch: Patch
}

/** A commit that led to what the wiki is now, and what it changed. */
export async function loadRevision(
  ctx: Context,
  repo: Repository,
  id: string,
  whitespace: Whitespace,
): Promise<Revision> {
  return readingWiki(ctx, repo, async ({ folder, objects, commitId }) => {
    if (!isFullId(id) || (await objects.info(id))?.type !== 'commit') throw notFound()
    if (!(await isAncestor(ctx.git, folder, { base: id, head: commitId }))) throw notFound()
    const commit = await readCommit(objects, id)
    return { commit, patch: await loadPatchIn(ctx, folder, commit, whitespace) }
  })
}
