import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { assertReads, isVisible, repositoriesById } from './load.ts'
import { viewRepository, type RepositoryView } from './view.ts'

/** Copying takes its time: the repository as it is now, unless the caller may not read its code any more. */
export async function viewCodeAgain(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  id: number,
): Promise<RepositoryView> {
  const repo = (await repositoriesById(tx, [id])).get(id)
  if (!repo) throw notFound()
  const view = await viewRepository({ ...ctx, db: tx }, caller, repo)
  if (!isVisible(ctx, caller, view)) throw notFound()
  assertReads(view, 'repo.code')
  return view
}
