import { readmitCaller } from '../../identity/auth/readmit.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, invalid, notFound, type AppError } from '../../platform/errors.ts'
import { mayCreateFor } from '../../repositories/repository/may-create.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { viewCodeAgain } from '../../repositories/repository/view-again.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'

export function assertTemplate({ repo }: RepositoryView): void {
  if (!repo.isTemplate) throw invalid('this is not a template repo')
}

export function mayNotCreate(): AppError {
  return forbidden('Given user is not allowed to create repository in organization.')
}

/**
 * Copying takes its time: who has lost the template, or the right to create for `owner`, meanwhile
 * gets no copy. The template as it is now.
 */
export async function viewAgain(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  template: Repository,
  owner: Account,
): Promise<RepositoryView> {
  const now = await readmitCaller(tx, caller)
  if (!(await findAllById(tx, [owner.id])).has(owner.id)) throw notFound()
  const view = await viewCodeAgain(ctx, tx, now, template.id)
  assertTemplate(view)
  if (!(await mayCreateFor({ db: tx }, now, owner))) throw mayNotCreate()
  return view
}
