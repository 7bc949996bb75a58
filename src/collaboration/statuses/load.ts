import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { withObjects } from '../../platform/git/object-pool.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import { findRevision } from '../../platform/git/revisions.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { findContextStates, type CommitKey, type ContextState } from './queries.ts'

const MIN_SHORT_ID = 7

/** The commit of a branch, a tag, an id or its beginning. */
export async function loadCommitOfRef(
  ctx: Context,
  repo: Repository,
  ref: string,
): Promise<CommitKey> {
  const options = { defaultBranch: repo.defaultBranch, shortIds: ref.length >= MIN_SHORT_ID }
  return loadCommit(ctx, repo, async (objects) => {
    const found = await findRevision(objects, ref, options)
    return found?.commitId
  })
}

/** The commit of an id or its beginning, where names do not count. */
export async function loadCommitOfId(
  ctx: Context,
  repo: Repository,
  text: string,
): Promise<CommitKey> {
  const id = text.toLowerCase()
  if (!/^[0-9a-f]{7,64}$/.test(id)) throw notFound()
  return loadCommit(ctx, repo, async (objects) => {
    const found = await objects.info(`${id}^{commit}`)
    // A branch may be called like the beginning of an id, and then git takes the branch.
    return found?.id.startsWith(id) ? found.id : undefined
  })
}

async function loadCommit(
  ctx: Context,
  repo: Repository,
  find: (objects: ObjectReader) => Promise<string | undefined>,
): Promise<CommitKey> {
  const commitId = await withObjects(ctx.git, folderOf(ctx, repo), find)
  if (commitId === undefined) throw notFound()
  return { repositoryId: repo.id, commitId }
}

export type { ContextState }

/** The last state of each context. */
export async function lastStates(
  ctx: Context,
  commit: CommitKey,
): Promise<readonly ContextState[]> {
  return findContextStates(ctx.db, commit)
}
