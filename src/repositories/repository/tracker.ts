import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'

/**
 * A transaction on the issues of a repository and what hangs on them. They count each other, and
 * two that changed them in different orders would wait for each other for ever, so there is one at
 * a time.
 */
export async function changeTracker<T>(
  ctx: Context,
  repositoryId: number,
  work: (tx: Executor) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    await holdTracker(ctx, tx, repositoryId)
    return work(tx)
  })
}

/** For whoever changes more than issues in a transaction. */
export async function holdTracker(ctx: Context, tx: Executor, repositoryId: number): Promise<void> {
  await lock(ctx.db.dialect, tx, 'issues', repositoryId)
}
