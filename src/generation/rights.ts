import { isCredentialGood } from '../auth/tokens.ts'
import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { AppError, forbidden, invalid, notFound } from '../errors.ts'
import { assertReads, isVisible, repositoriesById } from '../repositories/load.ts'
import { mayCreateFor } from '../repositories/may-create.ts'
import type { Repository } from '../repositories/repository.ts'
import { viewRepository, type RepositoryView } from '../repositories/view.ts'
import type { Account } from '../users/account.ts'
import { findAllById } from '../users/load.ts'

export function assertTemplate({ repo }: RepositoryView): void {
  if (!repo.isTemplate) throw invalid('this is not a template repo')
}

export function mayNotCreate(): AppError {
  return forbidden('Given user is not allowed to create repository in organization.')
}

/**
 * Copying takes its time: who has lost the template, or the right to create for `owner`, meanwhile gets no copy.
 * The template as it is now.
 */
export async function viewAgain(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  template: Repository,
  owner: Account,
): Promise<RepositoryView> {
  const accounts = await findAllById(tx, [caller.account.id, owner.id])
  const account = accounts.get(caller.account.id)
  if (!isUsable(account) || !(await isCredentialGood(tx, caller))) throw signedOut()
  if (!accounts.has(owner.id)) throw notFound()
  const now = { ...caller, account }
  const repo = (await repositoriesById(tx, [template.id])).get(template.id)
  if (!repo) throw notFound()
  const view = await viewRepository({ ...ctx, db: tx }, now, repo)
  if (!isVisible(ctx, now, view)) throw notFound()
  assertReads(view, 'repo.code')
  assertTemplate(view)
  if (!(await mayCreateFor({ db: tx }, now, owner))) throw mayNotCreate()
  return view
}

function isUsable(account: Account | undefined): account is Account {
  return account !== undefined && account.isActive && !account.prohibitLogin
}

function signedOut(): AppError {
  return new AppError('unauthenticated', 'token is required')
}
