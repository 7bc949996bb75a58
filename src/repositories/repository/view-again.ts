import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import { assertReads, isVisible, repositoriesById } from './load.ts'
import { viewRepository, type RepositoryView } from './view.ts'

/** The repository as it is now, unless the caller may not see it any more. */
export async function viewRepositoryAgain(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  id: number,
): Promise<RepositoryView> {
  const repo = (await repositoriesById(tx, [id])).get(id)
  if (!repo) throw notFound()
  const view = await viewRepository({ ...ctx, db: tx }, caller, repo)
  if (!isVisible(ctx, caller, view)) throw notFound()
  return view
}

/** Copying takes its time: what is copied goes to whom may still read the code. */
export async function viewCodeAgain(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  id: number,
): Promise<RepositoryView> {
  const view = await viewRepositoryAgain(ctx, tx, caller, id)
  assertReads(view, 'repo.code')
  return view
}
