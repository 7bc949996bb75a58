import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { withObjects } from '../../platform/git/object-pool.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import { findRevision, type Revision } from '../../platform/git/revisions.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

/** Does `work` with a reader of the repository's objects. */
export async function readingCode<T>(
  ctx: Context,
  repo: Repository,
  work: (objects: ObjectReader) => Promise<T>,
): Promise<T> {
  return withObjects(ctx.git, folderOf(ctx, repo), work)
}

/** Branch, tag or commit by what a caller wrote; nothing means the default branch. */
export async function findNamedRevision(
  objects: ObjectReader,
  { defaultBranch }: Repository,
  text: string | undefined,
): Promise<Revision | undefined> {
  return findRevision(objects, text || defaultBranch, { defaultBranch })
}

export async function loadRevision(
  objects: ObjectReader,
  repo: Repository,
  text: string | undefined,
): Promise<Revision> {
  const found = await findNamedRevision(objects, repo, text)
  if (!found) throw notFound()
  return found
}
