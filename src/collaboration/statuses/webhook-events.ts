import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'
import { findHeadCommit } from '../../platform/git/pushed-commits.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { formatTime } from '../../platform/time.ts'
import type { Account } from '../../identity/users/account.ts'
import { announce, isAnybodyListening } from '../../events/webhooks/announce.ts'
import {
  presentPerson,
  presentPlace,
  viewPlace,
} from '../../repositories/repository/webhook-payload.ts'
import { presenterOf, type PayloadCommit } from '../../code/pushes/webhook-events.ts'

/**
 * The commit that gets a status: found out before the transaction, and only when somebody listens.
 */
export async function prepareStatus(
  ctx: Context,
  repositoryId: number,
  commitId: string,
): Promise<PayloadCommit | null> {
  if (!(await isAnybodyListening(ctx, repositoryId, ['status']))) return null
  const view = await viewPlace(ctx, ctx.db, repositoryId)
  const head = await findHeadCommit(ctx.git, folderOf(ctx, view.repo), commitId)
  const found = { newest: [], count: 0, head }
  return (await presenterOf(ctx, view, [found]))(found).head
}

/** A status that a commit got. */
export async function announceStatus(
  ctx: Context,
  tx: Executor,
  actor: Account,
  status: Row<'commit_status'>,
  commit: PayloadCommit | null,
): Promise<void> {
  const payload = async () => ({
    id: status.number,
    sha: status.commit_id,
    state: status.state,
    context: status.context,
    description: status.description,
    target_url: status.target_url,
    created_at: formatTime(status.created_at),
    updated_at: formatTime(status.updated_at),
    commit,
    repository: await presentPlace(ctx, tx, status.repository_id),
    sender: presentPerson(ctx, actor),
  })
  await announce(ctx, tx, status.repository_id, [{ kind: 'status', payload }])
}
