import { anonymous, type Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import { repositoriesById } from './load.ts'
import { presentRepository } from './present.ts'
import type { RepositoryBody } from './schema.ts'
import { asOwner, viewRepository, type RepositoryView } from './view.ts'
import type { Account } from '../../identity/users/account.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { UserBody } from '../../identity/users/schema.ts'

/** The repository as it is within the transaction, as its owner sees it. */
export async function viewPlace(ctx: Context, tx: Executor, id: number): Promise<RepositoryView> {
  const repo = (await repositoriesById(tx, [id])).get(id)
  if (!repo) throw notFound()
  const { config, now } = ctx
  return asOwner(await viewRepository({ config, now, db: tx }, anonymous, repo))
}

export async function presentPlace(
  ctx: Context,
  tx: Executor,
  id: number,
): Promise<RepositoryBody> {
  return presentRepository(ctx.config, await viewPlace(ctx, tx, id))
}

/** As anybody sees them: who receives it is not known here. */
export function presentPerson({ config }: Context, account: Account): UserBody {
  return presentUser(config, anonymous, account)
}

/**
 * What something was before. The keys of labels are there as in the reference, which fills them in
 * no webhook.
 */
export function presentChanges(changes: Readonly<Record<string, { readonly from: string }>>) {
  return { ...changes, added_labels: null, removed_labels: null }
}
