import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { assertPullState } from '../pulls/state.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { setClosed } from './close.ts'
import { hasOpenDependency } from './dependency-queries.ts'
import type { Issue } from './issue.ts'

export function assertState(state: string): void {
  if (state === 'open' || state === 'closed') return
  throw new AppError('precondition_failed', `unknown state: ${state}`)
}

/**
 * Closes or reopens an issue that this transaction holds, with all that is counted and told of it.
 */
export async function changeState(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  { repo, units }: RepositoryView,
  issue: Issue,
  isClosed: boolean,
): Promise<Issue> {
  if (issue.isPull) await assertPullState(tx, issue, isClosed)
  if (issue.isClosed === isClosed) return issue
  if (isClosed && (await isBlocked(tx, { units }, issue))) throw blocked()
  return setClosed(ctx, tx, account, repo, issue, isClosed)
}

/** Whether something else is to be closed first. */
export async function isBlocked(
  db: Executor,
  { units }: Pick<RepositoryView, 'units'>,
  { id }: Pick<Issue, 'id'>,
): Promise<boolean> {
  if (!units.settings('repo.issues')?.dependencies) return false
  return hasOpenDependency(db, id)
}

function blocked(): AppError {
  return new AppError(
    'precondition_failed',
    'cannot close this issue or pull request because it still has open dependencies',
  )
}
